import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ProductsPage } from '@/pages/storefront/products-page'
import { CATEGORIES, catalogue, FAILURES, PRODUCTS, productList } from '@/test/catalogue'
import { aCategory, aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'

const named = (name: string) => aProduct({ id: name, _id: name, name })
const OIL = named('Mustard Oil')
const TEA = named('Ilam Tea')
const RICE = named('Basmati Rice')
const CATEGORY_LIST = [
  aCategory({ slug: 'oil-ghee', name: 'Oil & Ghee' }),
  aCategory({ slug: 'tea', name: 'Tea' }),
]

const POPULAR = 'GET /api/wishlist/popular'

const open = (at = '/products') => renderInShop(<ProductsPage />, { at })
const filter = () => screen.getByLabelText('Filter products by name')
const cards = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
const section = async (name: string) => within(await screen.findByRole('region', { name }))

// spec: 2.products.1, 7.load.3, 7.load.4
test('all products are shown, page by page, beside the categories', async () => {
  const requests = mockServer({
    ...catalogue([], CATEGORY_LIST),
    [PRODUCTS]: ({ query }) =>
      query?.cursor === 'next'
        ? productList([RICE], { total: 3 })
        : productList([OIL, TEA], { nextCursor: 'next', total: 3 }),
  })
  await open()
  expect(await screen.findByText('3 products')).toBeInTheDocument()
  expect(cards()).toEqual(['Mustard Oil', 'Ilam Tea'])
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(cards()).toEqual(['Mustard Oil', 'Ilam Tea', 'Basmati Rice']))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(requests.map(({ path }) => path)).toContain('/api/category/get_category_public')
})

// spec: 2.products.2
test('a typed word narrows the list by the address, and emptying the field shows all again', async () => {
  mockServer({
    ...catalogue([]),
    [PRODUCTS]: ({ query }) => productList(query?.search === 'oil' ? [OIL] : [OIL, TEA]),
  })
  const { address } = await open()
  await screen.findByText('2 products')
  await userEvent.type(filter(), 'oil')
  await waitFor(() => expect(cards()).toEqual(['Mustard Oil']))
  expect(address()).toBe('/products?search=oil')
  expect(filter()).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(cards()).toEqual(['Mustard Oil', 'Ilam Tea']))
  expect(address()).toBe('/products')
})

test('a letter typed while the answer to the one before is on its way is not lost', async () => {
  mockServer({
    ...catalogue([]),
    [PRODUCTS]: ({ query }) => productList(query?.search === 'r' ? [] : [RICE]),
  })
  const { address } = await open()
  await screen.findByText('1 product')
  await userEvent.type(filter(), 'r')
  await waitFor(() => expect(address()).toBe('/products?search=r'))
  await userEvent.type(filter(), 'ice')
  await waitFor(() => expect(address()).toBe('/products?search=rice'))
  expect(filter()).toHaveValue('rice')
})

test('matches by another name follow those whose name holds the text, and are counted', async () => {
  mockServer({ ...catalogue([]), [PRODUCTS]: productList([OIL], { matches: [TEA] }) })
  await open('/products?search=oil')
  expect(await screen.findByText('2 products')).toBeInTheDocument()
  expect((await section('More results')).getByText('Ilam Tea')).toBeInTheDocument()
  expect(cards()).toEqual(['Mustard Oil', 'Ilam Tea'])
})

test('matches by another name alone are the results, without a heading of their own', async () => {
  mockServer({ ...catalogue([]), [PRODUCTS]: productList([], { matches: [RICE] }) })
  await open('/products?search=chamal')
  expect(await screen.findByText('1 product')).toBeInTheDocument()
  expect(cards()).toEqual(['Basmati Rice'])
  expect(screen.queryByText(/No exact match/)).toBeNull()
  expect(screen.queryByRole('heading', { name: 'More results' })).toBeNull()
})

test('a slip says that there is no exact match and shows what was meant', async () => {
  mockServer({ ...catalogue([]), [PRODUCTS]: productList([], { similar: [RICE] }) })
  await open('/products?search=ricw')
  expect(await screen.findByText(/No exact match for "ricw"/)).toBeInTheDocument()
  expect((await section('Similar products')).getByText('Basmati Rice')).toBeInTheDocument()
})

test('a text that looks like markup and that no name holds is shown as text, with categories to look in', async () => {
  mockServer({ ...catalogue([], CATEGORY_LIST), [POPULAR]: ok([]) })
  const { address } = await open(`/products?search=${encodeURIComponent('<b>%_')}`)
  expect(await screen.findByRole('heading', { name: 'No products match "<b>%_"' })).toBeInTheDocument()
  expect((await section('Or browse a category')).getAllByRole('link')).toHaveLength(2)
  await userEvent.click(screen.getByRole('link', { name: 'Clear search' }))
  await waitFor(() => expect(address()).toBe('/products'))
})

test('an order is asked of the server and stored in the address', async () => {
  const requests = mockServer(catalogue([OIL]))
  const { address } = await open()
  await screen.findByText('1 product')
  for (const [label, sort] of [
    ['Price: low to high', 'price_asc'],
    ['Price: high to low', 'price_desc'],
    ['Name', 'name'],
    ['Rating', 'rating'],
  ] as const) {
    await userEvent.selectOptions(screen.getByLabelText('Sort'), label)
    await waitFor(() => expect(address()).toBe(`/products?sort=${sort}`))
    await waitFor(() => expect(requests.at(-1)?.query).toMatchObject({ sort }))
  }
  await userEvent.selectOptions(screen.getByLabelText('Sort'), 'Featured')
  await waitFor(() => expect(address()).toBe('/products'))
})

test('a category chip narrows the list and keeps the search', async () => {
  const requests = mockServer(catalogue([OIL], CATEGORY_LIST))
  const { address } = await open('/products?search=a')
  await userEvent.click(await screen.findByRole('link', { name: 'Tea' }))
  await waitFor(() => expect(address()).toBe('/products?search=a&category=tea'))
  await waitFor(() => expect(requests.at(-1)?.query).toMatchObject({ search: 'a', category: 'tea' }))
})

// spec: 7.answers.1, 8.session.3, 8.session.4
test.each(FAILURES)("%s: '… products.', and Try again loads them", async (_what, answer, kind) => {
  const table: Parameters<typeof mockServer>[0] = { ...catalogue([]), [PRODUCTS]: answer }
  mockServer(table)
  await open()
  expect(await screen.findByTestId('toast')).toHaveTextContent(`${kind} products.`)
  expect(screen.getByText('We could not load the products.')).toBeInTheDocument()
  table[PRODUCTS] = productList([OIL])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Mustard Oil')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

const panel = async () => within(await screen.findByRole('region', { name: 'Filters' }))
const priceFields = async () => {
  const { getByLabelText } = await panel()
  return [getByLabelText('Lowest price in rupees'), getByLabelText('Highest price in rupees')] as const
}
const chips = () => within(screen.getByRole('list', { name: 'Active filters' })).getAllByRole('button')

test('price and stock limit the list by the address, keep the rest of it, and can be removed one by one', async () => {
  const requests = mockServer(catalogue([OIL]))
  const { address } = await open('/products?search=oil&sort=name')
  const [from, to] = await priceFields()
  await userEvent.type(from, '५०')
  await userEvent.type(to, '200{Enter}')
  await waitFor(() => expect(address()).toBe('/products?search=oil&sort=name&minPrice=50&maxPrice=200'))
  expect(to).toHaveFocus()
  await userEvent.click((await panel()).getByRole('checkbox', { name: 'In stock only' }))
  await waitFor(() =>
    expect(address()).toBe('/products?search=oil&sort=name&minPrice=50&maxPrice=200&inStock=true'),
  )
  await waitFor(() =>
    expect(requests.at(-1)?.query).toMatchObject({
      search: 'oil',
      sort: 'name',
      minPrice: '50',
      maxPrice: '200',
      inStock: 'true',
    }),
  )
  await screen.findByRole('list', { name: 'Active filters' })
  expect(chips().map((chip) => chip.textContent)).toEqual(['Rs. 50–200', 'In stock only'])

  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Rs. 50–200' }))
  await waitFor(() => expect(address()).toBe('/products?search=oil&sort=name&inStock=true'))
  expect(screen.getByRole('button', { name: 'Remove filter: In stock only' })).toHaveFocus()
  expect(from).toHaveValue('')
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: In stock only' }))
  await waitFor(() => expect(address()).toBe('/products?search=oil&sort=name'))
  expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull()
})

test('two prices in the wrong order are a range all the same, and a word is no price', async () => {
  mockServer(catalogue([OIL]))
  const { address } = await open('/products?maxPrice=100')
  const [from, to] = await priceFields()
  await userEvent.type(from, '500{Enter}')
  await waitFor(() => expect(address()).toBe('/products?minPrice=100&maxPrice=500'))
  expect(from).toHaveValue('100')
  expect(to).toHaveValue('500')
  await userEvent.clear(from)
  await userEvent.type(from, 'cheap{Enter}')
  await waitFor(() => expect(address()).toBe('/products?maxPrice=500'))
  expect(await screen.findByRole('button', { name: 'Remove filter: Up to Rs. 500' })).toBeInTheDocument()
})

test('on a phone a button opens the filters in a sheet, which says how many are active', async () => {
  mockServer(catalogue([OIL]))
  const { address } = await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
  const sheet = () => within(screen.getByRole('dialog', { name: 'Filters' }))
  await userEvent.click(sheet().getByRole('button', { name: 'Rs. 100–300' }))
  await waitFor(() => expect(address()).toBe('/products?minPrice=100&maxPrice=300'))
  expect(sheet().getByRole('button', { name: 'Rs. 100–300' })).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(sheet().getByRole('checkbox', { name: 'In stock only' }))
  await userEvent.click(sheet().getByRole('button', { name: 'Show products' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  const button = await screen.findByRole('button', { name: 'Filters, 2 active' })
  expect(button).toHaveFocus()

  await userEvent.click(button)
  await userEvent.click(sheet().getByRole('button', { name: 'Clear' }))
  await waitFor(() => expect(address()).toBe('/products'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a search without results offers other spellings, categories and what others buy', async () => {
  mockServer({ ...catalogue([], CATEGORY_LIST), [POPULAR]: ok([RICE, OIL, TEA]) })
  const { address } = await open('/products?search=gheo&category=oil-ghee')
  expect(await screen.findByRole('heading', { name: 'No products match "gheo"' })).toBeInTheDocument()
  expect((await section('What others are buying')).getByText('Basmati Rice')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Search all categories' })).toHaveAttribute(
    'href',
    '/products?search=gheo',
  )
  await userEvent.click(screen.getByRole('link', { name: 'ghee' }))
  await waitFor(() => expect(address()).toBe('/products?search=ghee'))
})

test('filters that leave nothing are cleared without losing the search', async () => {
  mockServer({ ...catalogue([], CATEGORY_LIST), [POPULAR]: ok([]) })
  const { address } = await open('/products?search=oil&minPrice=5000&inStock=true')
  expect(await screen.findByText(/price and stock filters may hide/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('link', { name: 'Clear filters' }))
  await waitFor(() => expect(address()).toBe('/products?search=oil'))
})

test('where too little was sold to say what others buy, the empty page shows the first products', async () => {
  mockServer({
    [PRODUCTS]: ({ query }) => productList(query?.search ? [] : [RICE, TEA]),
    ...{ [CATEGORIES]: ok([]), [POPULAR]: ok([OIL]) },
  })
  await open('/products?search=xyzzy')
  expect((await section('Featured Essentials')).getByText('Basmati Rice')).toBeInTheDocument()
  expect(screen.queryByRole('region', { name: 'What others are buying' })).toBeNull()
})
