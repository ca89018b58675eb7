import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { EditProduct } from '@/features/catalogue/seller/edit-product'
import { aSellerCategory, aSellerProduct } from '@/test/fixtures-seller'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, refused } from '@/test/server'

const SALES = 'GET /api/product/get_sales/mustard-oil'
const ADD = 'POST /api/product/add_sale/mustard-oil'
const END = 'POST /api/product/end_sale'
const PRODUCT = 'GET /api/product/get_seller_product/mustard-oil'

const RUNNING = {
  _id: 's-1',
  price: 272,
  wasPrice: 320,
  startsAt: '2026-11-18T04:15:00Z',
  endsAt: '2026-11-30T18:15:00Z',
  endedAt: null,
  state: 'running',
}
const oil = aSellerProduct()
const onSale = { ...oil, price: 272, wasPrice: 320, regularPrice: 320, saleEndsAt: RUNNING.endsAt }

async function openSales(product: typeof oil, table: Parameters<typeof mockServer>[0]) {
  const requests = mockServer({
    'GET /api/category/get_categories': ok([aSellerCategory()]),
    [SALES]: ok([]),
    ...table,
  })
  await renderInShop(<EditProduct product={product} onSaved={vi.fn()} onClose={vi.fn()} />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Sale price' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Sale price' }))
  return { requests, user, dialog }
}

test('a sale is planned in the time of Nepal', async () => {
  const { requests, user, dialog } = await openSales(oil, { [ADD]: ok([RUNNING]), [PRODUCT]: ok(onSale) })
  expect(await dialog.findByText('This product has no sale price.')).toBeInTheDocument()
  await user.type(dialog.getByLabelText('Sale price (Rs.)'), '320')
  await user.click(dialog.getByRole('button', { name: 'Save sale' }))
  expect(dialog.getByText('Enter a price below the regular price.')).toBeInTheDocument()
  expect(dialog.getByText('Choose when the sale ends.')).toBeInTheDocument()
  await user.clear(dialog.getByLabelText('Sale price (Rs.)'))
  await user.type(dialog.getByLabelText('Sale price (Rs.)'), '272')
  await user.type(dialog.getByLabelText('Until'), '2026-12-01T00:00')
  await user.click(dialog.getByRole('button', { name: 'Save sale' }))
  expect(await dialog.findByText(/^Rs\. 272 instead of Rs\. 320, until /)).toBeInTheDocument()
  expect(requests.find(({ path }) => path.includes('add_sale'))?.body).toEqual({
    price: 272,
    endsAt: '2026-11-30T18:15:00.000Z',
  })
  expect(await screen.findByText('Sale saved.')).toBeInTheDocument()
})

test('a refusal is shown at its field', async () => {
  const { user, dialog } = await openSales(oil, {
    [ADD]: refused(400, 'field_invalid', 'Within 60 days.', { field: 'endsAt' }),
  })
  await user.type(dialog.getByLabelText('Sale price (Rs.)'), '272')
  await user.type(dialog.getByLabelText('Until'), '2028-12-01T00:00')
  await user.click(dialog.getByRole('button', { name: 'Save sale' }))
  await waitFor(() => expect(dialog.getByLabelText('Until')).toHaveAccessibleDescription(/Within 60 days\./))
})

test('a running sale is ended, and the form edits the regular price meanwhile', async () => {
  const { requests, user, dialog } = await openSales(onSale, {
    [SALES]: ok([RUNNING]),
    [END]: ok([{ ...RUNNING, state: 'ended', endedAt: '2026-11-19T04:15:00Z' }]),
    [PRODUCT]: ok(oil),
    'PUT /api/product/update_product/mustard-oil': ok({ ...oil, price: 330 }),
  })
  await user.click(await dialog.findByRole('button', { name: 'End sale now' }))
  expect(await dialog.findByText('Ended')).toBeInTheDocument()
  expect(dialog.queryByRole('button', { name: 'End sale now' })).toBeNull()
  // The second one closes the toast.
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  const price = screen.getByLabelText(/^Price/)
  expect(price).toHaveValue(320)
  await user.clear(price)
  await user.type(price, '330')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastFormData(requests).get('price')).toBe('330'))
})
