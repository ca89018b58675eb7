import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CategoriesPage } from '@/pages/storefront/categories-page'
import { CategoryPage } from '@/pages/storefront/category-page'
import { CATEGORIES, catalogue, FAILURES, PRODUCTS, productList } from '@/test/catalogue'
import { aCategory, aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'

const RICE = aCategory({
  slug: 'rice-grains',
  name: 'Rice & Grains',
  description: 'From the Terai.',
  image: '/media/0a1b-128/128.webp',
  icon: '🌾',
  totalproducts: 6,
})
const BARE = aCategory({ slug: 'bare', name: 'Bare', totalproducts: 0 })
const openCategory = (at: string) => renderInShop(<CategoryPage />, { at })

// spec: 2.categories.1, 2.categories.2, 2.categories.4, 2.categories.5
test('a card has picture, icon, name, description, count and the way into its category', async () => {
  mockServer({ [CATEGORIES]: ok([RICE]) })
  await renderInShop(<CategoriesPage />)
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Shop by Category')
  const card = within(await screen.findByRole('article'))
  expect(card.getByRole('heading', { level: 2, name: 'Rice & Grains' })).toBeInTheDocument()
  expect(card.getByRole('img', { name: 'Rice & Grains' })).toBeInTheDocument()
  expect(card.getByText('🌾')).toBeInTheDocument()
  expect(card.getByText('From the Terai.')).toBeInTheDocument()
  expect(card.getByText('Total Products: 6')).toBeInTheDocument()
  const explore = card.getByRole('link', { name: 'Explore Category: Rice & Grains' })
  expect(explore).toHaveTextContent('Explore Category')
  expect(explore).toHaveAttribute('href', '/category/rice-grains')
})

// spec: 2.categories.3
test("a category without a description says 'No description available.'", async () => {
  mockServer({ [CATEGORIES]: ok([BARE]) })
  await renderInShop(<CategoriesPage />)
  const card = within(await screen.findByRole('article'))
  expect(card.getByText('No description available.')).toBeInTheDocument()
  expect(card.getByText('Total Products: 0')).toBeInTheDocument()
})

// spec: 7.answers.1, 8.session.5, 8.session.6
test.each(FAILURES)("%s: '… categories.', and Try again loads them", async (_what, answer, kind) => {
  const table: Parameters<typeof mockServer>[0] = { [CATEGORIES]: answer }
  mockServer(table)
  await renderInShop(<CategoriesPage />)
  expect(await screen.findByTestId('toast')).toHaveTextContent(`${kind} categories.`)
  expect(screen.getByText('We could not load the categories.')).toBeInTheDocument()
  table[CATEGORIES] = ok([RICE])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Rice & Grains' })).toBeInTheDocument()
})

// spec: 2.category.1, 2.category.3, 2.category.4
test('a category is found by its slug in any case, and has banner and breadcrumb', async () => {
  const requests = mockServer(catalogue([aProduct()], [BARE, RICE]))
  await openCategory('/category/RICE-Grains')
  expect(await screen.findByRole('heading', { level: 1, name: 'Rice & Grains' })).toBeInTheDocument()
  expect(screen.getByText('From the Terai.')).toBeInTheDocument()
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(crumbs.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Home',
    'Categories',
    'Rice & Grains',
  ])
  expect(crumbs.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/', '/categories'])
  expect(crumbs.getByText('Rice & Grains')).toHaveAttribute('aria-current', 'page')
  expect(document.title).toBe('Rice & Grains – Thunse')
  // The slug is requested with the shop's spelling.
  await waitFor(() => expect(requests.at(-1)?.query).toMatchObject({ category: 'rice-grains' }))
})

// spec: 2.category.6
test("a category without products says 'No products found in this category.'", async () => {
  mockServer(catalogue([], [BARE]))
  await openCategory('/category/bare')
  expect(await screen.findByText('No products found in this category.')).toBeInTheDocument()
  expect(screen.queryByRole('article')).toBeNull()
})

// spec: 2.category.2
test("an unknown category says 'Category Not Found' with a way back, and asks for no products", async () => {
  const requests = mockServer(catalogue([aProduct()], [RICE]))
  await openCategory('/category/nope')
  expect(await screen.findByRole('heading', { level: 1, name: 'Category Not Found' })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Back to Categories' })).toHaveAttribute('href', '/categories')
  expect(document.title).toBe('Category Not Found – Thunse')
  expect(requests.map(({ path }) => path)).toEqual(['/api/category/get_category_public'])
})

test("'Category Not Found' is not shown while the categories are on their way", async () => {
  mockServer({ ...catalogue([]), [CATEGORIES]: 'never' })
  const { container } = await openCategory('/category/rice-grains')
  expect(container.querySelector('[aria-busy=true]')).not.toBeNull()
  expect(screen.queryByText('Category Not Found')).toBeNull()
})

test('a category with more than one page grows with Show more', async () => {
  const product = (name: string) => aProduct({ id: name, _id: name, name })
  mockServer({
    ...catalogue([], [RICE]),
    [PRODUCTS]: ({ query }) =>
      query?.cursor === 'next'
        ? productList([product('Beaten Rice')])
        : productList([product('Basmati Rice')], { nextCursor: 'next' }),
  })
  await openCategory('/category/rice-grains')
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  await screen.findByText('Beaten Rice')
  const names = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(names).toEqual(['Basmati Rice', 'Beaten Rice'])
})
