import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ProductPage } from '@/pages/storefront/product-page'
import { PRODUCT } from '@/test/catalogue'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

const AT = '/product/oil-ghee/p-oil'
const GHEE = aProduct({ id: 'p-ghee', _id: 'p-ghee', name: 'Cow Ghee' })
const open = (at = AT) => renderInShop(<ProductPage />, { at })

// spec: 2.product.1, 2.product.2, 2.product.3, 2.product.4, 3.product.2, 3.product.3, 9.const.1
test('a product shows everything about it', async () => {
  const product = aProduct({ image: '/media/0a1b-256/256.webp', rating: 4.6, reviews: 38, stock: 42 })
  mockServer({ [PRODUCT]: ok({ product, related: [] }) })
  await open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Mustard Oil' })).toBeInTheDocument()
  expect(document.title).toBe('Mustard Oil – Thunse')
  const detail = within(screen.getByRole('article'))
  expect(detail.getByRole('img', { name: 'Mustard Oil' })).toHaveAttribute('src', '/media/0a1b-256/256.webp')
  expect(detail.getByRole('link', { name: 'Oil & Ghee' })).toHaveAttribute('href', '/category/oil-ghee')
  expect(detail.getAllByText('Rs. 320').length).toBeGreaterThan(0)
  expect(detail.getByText('Cold pressed.')).toBeInTheDocument()
  expect(detail.getByText(/38 reviews/)).toBeInTheDocument()
  expect(detail.getByText('(42 available)')).toBeInTheDocument()
  expect(detail.getByRole('group', { name: 'Quantity' })).toBeInTheDocument()
  expect(detail.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
  const tags = within(detail.getByRole('list', { name: 'Tags' })).getAllByRole('listitem')
  expect(tags.map(({ textContent }) => textContent)).toEqual(['staple', 'local', 'new'])
  // The stars are rounded down: 4.6 is four of five.
  const stars = detail.getByRole('img', { name: 'Rated 4.6 out of 5, 38 reviews' })
  expect(stars.querySelectorAll('.star')).toHaveLength(5)
  expect(stars.querySelectorAll('.star:not(.star-off)')).toHaveLength(4)
})

// spec: 2.product.6
test('other products of its category stand below it', async () => {
  mockServer({ [PRODUCT]: ok({ product: aProduct(), related: [GHEE] }) })
  await open()
  const related = within(await screen.findByRole('region', { name: 'Related products' }))
  expect(related.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Cow Ghee',
  ])
})

test('only the id in the address counts, not the category', async () => {
  mockServer({ [PRODUCT]: ok({ product: aProduct(), related: [] }) })
  await open('/product/whatever/p-oil')
  expect(await screen.findByRole('heading', { level: 1, name: 'Mustard Oil' })).toBeInTheDocument()
})

// spec: 2.product.7, 2.product.8
test("an unknown id says 'Product not found' and leads back to the categories", async () => {
  mockServer({ [PRODUCT]: refused(404, 'product_not_found', 'x') })
  await open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Product not found' })).toBeInTheDocument()
  expect(document.title).toBe('Product not found – Thunse')
  expect(screen.getByRole('link', { name: 'Back to Categories' })).toHaveAttribute('href', '/categories')
  expect(screen.queryByTestId('toast')).toBeNull()
})

test.each([
  ['a server error', serverFailed],
  ['no network', 'no network' as const],
])('%s offers Try again and does not say that there is no such product', async (_what, answer) => {
  const table: Parameters<typeof mockServer>[0] = { [PRODUCT]: answer }
  mockServer(table)
  await open('/product/oil-ghee/p-oil')
  expect(await screen.findByTestId('toast')).toHaveTextContent('Error fetching products.')
  expect(screen.queryByText('Product not found')).toBeNull()
  table[PRODUCT] = ok({ product: aProduct(), related: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Add to Cart' })).toBeEnabled()
})
