import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import { settings } from '@/lib/first-data'
import { HomePage } from '@/pages/storefront/home-page'
import { CATEGORIES, catalogue, FAILURES, PRODUCTS, productList } from '@/test/catalogue'
import { aCategory, aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'
import { holdTime, pass } from '@/test/time'

const EIGHT = Array.from({ length: 8 }, (_, n) =>
  aProduct({ id: `p-${n}`, _id: `p-${n}`, name: `Product ${n}`, price: 100 + n }),
)
const section = async (name: string) => within(await screen.findByRole('region', { name }))
const names = (within: { getAllByRole: typeof screen.getAllByRole }) =>
  within.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)

// spec: 2.home.1, 2.home.2
test('the hero welcomes to the shop by its name, and Shop Now leads to the products', async () => {
  mockServer(catalogue([]))
  await renderInShop(<HomePage />)
  expect(screen.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Shop Now' })).toHaveAttribute('href', '/products')
  expect(document.title).toBe('Nepali groceries online – Thunse')
})

describe('in a season', () => {
  const tihar = {
    theme: 'tihar',
    title: 'Happy Tihar!',
    titleNe: 'तिहारको शुभकामना!',
    text: 'Oil for the lamps.',
    textNe: 'दियोको तेल।',
    endsAt: '2126-11-11T18:15:00Z',
  }
  afterEach(() => {
    delete settings.season
  })

  test('the hero also has the title, the text and the picture of the season', async () => {
    settings.season = tihar
    mockServer(catalogue([]))
    await renderInShop(<HomePage />)
    const hero = document.querySelector('.hero')
    expect(screen.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeInTheDocument()
    expect(hero).toHaveAttribute('data-season', 'tihar')
    expect(hero).toHaveTextContent('Welcome to ThunseHappy Tihar!Oil for the lamps.Shop Now')
    expect(hero?.querySelector('img')).toHaveAttribute('src', '/seasons/tihar.svg')
    expect(screen.getByRole('link', { name: 'Shop Now' })).toHaveAttribute('href', '/products')
  })

  test('a season that has ended since the page was loaded is not shown', async () => {
    settings.season = { ...tihar, endsAt: '2025-10-23T18:15:00Z' }
    mockServer(catalogue([]))
    await renderInShop(<HomePage />)
    expect(document.querySelector('.hero')).not.toHaveAttribute('data-season')
    expect(screen.queryByText('Happy Tihar!')).toBeNull()
  })
})

// spec: 2.home.3
test('a tile leads to each category, in the order of the answer', async () => {
  const categories = [
    aCategory({ slug: 'spices', name: 'Spices' }),
    aCategory({ slug: 'rice-grains', name: 'Rice & Grains' }),
  ]
  mockServer(catalogue([], categories))
  await renderInShop(<HomePage />)
  const tiles = within((await section('Categories')).getByRole('list')).getAllByRole('link')
  expect(tiles.map((tile) => [tile.textContent, tile.getAttribute('href')])).toEqual([
    [expect.stringContaining('Spices'), '/category/spices'],
    [expect.stringContaining('Rice & Grains'), '/category/rice-grains'],
  ])
})

// spec: 2.home.4, 2.home.5, 9.const.1, 9.const.10
test('Featured Essentials are the first six products with their prices, and Load More Products leads to all', async () => {
  mockServer(catalogue(EIGHT))
  await renderInShop(<HomePage />)
  const more = await screen.findByRole('link', { name: 'Load More Products' })
  const featured = await section('Featured Essentials')
  expect(names(featured)).toEqual(EIGHT.slice(0, 6).map(({ name }) => name))
  expect(featured.getByText('Rs. 100')).toBeInTheDocument()
  expect(more).toHaveAttribute('href', '/products')
})

test('a shop with six products lists them all the same', async () => {
  mockServer(catalogue(EIGHT.slice(0, 6)))
  await renderInShop(<HomePage />)
  expect(names(await section('All products'))).toHaveLength(6)
})

// spec: 2.home.8
test('the list of all products is on the home page too, and Show more brings the rest', async () => {
  const requests = mockServer({
    ...catalogue(EIGHT),
    [PRODUCTS]: ({ query }) =>
      query?.cursor === 'next'
        ? productList(EIGHT.slice(7))
        : productList(EIGHT.slice(0, 7), { nextCursor: 'next' }),
  })
  await renderInShop(<HomePage />)
  const all = await section('All products')
  expect(names(all)).toEqual(['Product 6'])
  await userEvent.click(all.getByRole('button', { name: 'Show more' }))
  expect(await all.findByRole('heading', { name: 'Product 7' })).toBeInTheDocument()
  // The first six are the featured ones above.
  expect(names(all)).toEqual(['Product 6', 'Product 7'])
  expect(all.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(requests.filter(({ path }) => path.endsWith('get_products'))).toHaveLength(2)
})

// spec: 2.home.7, 9.const.12
test('the advertisement has its place from the start and starts 800 ms after the page has loaded', async () => {
  holdTime()
  mockServer(catalogue([]))
  await renderInShop(<HomePage />)
  const slot = screen.getByTestId('ad-slot')
  expect(slot).toHaveAttribute('data-started', 'false')
  await pass(700)
  expect(within(slot).queryByRole('link')).toBeNull()
  await pass(200)
  expect(slot).toHaveAttribute('data-started', 'true')
  expect(within(slot).getByRole('link')).toBeInTheDocument()
})

// spec: 2.home.6
test('one can sign up for the newsletter there', async () => {
  mockServer(catalogue([]))
  await renderInShop(<HomePage />)
  expect(screen.getByRole('textbox', { name: 'Email address' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeEnabled()
})

test.each(FAILURES)(
  '%s of the categories leaves the products where they are',
  async (_what, answer, kind) => {
    mockServer({ ...catalogue(EIGHT), [CATEGORIES]: answer })
    await renderInShop(<HomePage />)
    expect(await screen.findByTestId('toast')).toHaveTextContent(`${kind} categories.`)
    expect(await section('All products')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1)
  },
)

test('a failed list of products leaves the categories where they are', async () => {
  mockServer({ [PRODUCTS]: 'no network', [CATEGORIES]: ok([aCategory()]) })
  await renderInShop(<HomePage />)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Error fetching products.')
  expect((await section('Categories')).getByText('Oil & Ghee')).toBeInTheDocument()
})
