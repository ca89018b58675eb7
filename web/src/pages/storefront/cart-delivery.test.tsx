import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { cartStore } from '@/features/cart/cart-store'
import { cartNotices, serverCart } from '@/features/cart/notices'
import { writeSyncedCart } from '@/features/cart/synced-cart'
import { EMPTY_NOTES, orderNotes } from '@/features/orders/order-notes-store'
import { clearPendingOrder } from '@/features/orders/pending-order'
import { CartPage } from '@/pages/storefront/cart-page'
import { anAddress, aProduct, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const COD = 'POST /api/order/place_order_COD'
const OPTIONS = 'GET /api/delivery/options'
const RECEIPT = { _id: 'o-1', orderId: 'TH7K2M', trackingNumber: 'T', total: 773.2 }

const window = (id: string, starts: string, ends: string, left: number) => ({ id, starts, ends, left })
const ZONE = {
  coverage: 'zone',
  zone: { name: 'City', nameNe: 'सहर' },
  fee: 50,
  freeAbove: null,
  minimum: 300,
  hasWindows: true,
  days: [
    { day: '2026-11-18', windows: [window('w-1', '07:00', '09:00', 0), window('w-2', '16:00', '18:00', 3)] },
    { day: '2026-11-19', windows: [window('w-1', '07:00', '09:00', 20)] },
  ],
  next: { day: '2026-11-18', window: 'w-2' },
  deliveryDate: '2026-11-18',
  zones: [
    { name: 'City', nameNe: 'सहर' },
    { name: 'Ring', nameNe: '' },
  ],
  closedToday: null,
}

beforeEach(() => {
  clearPendingOrder()
  cartNotices.set([])
  serverCart.set(null)
  writeSyncedCart(null)
  orderNotes.set(EMPTY_NOTES)
  cartStore.replaceFromServer({ 'p-oil': 2 })
})

async function openCart(options: object, table: Parameters<typeof mockServer>[0] = {}) {
  const requests = mockServer({
    'GET /api/user/isAuth': ok(aUser()),
    'GET /api/product/get_products_by_ids': ok([aProduct({ id: 'p-oil', price: 320, stock: 42 })]),
    'GET /api/address/get_addresses': ok([anAddress({ _id: 'a-1' })]),
    [OPTIONS]: ok(options),
    ...table,
  })
  await renderInShop(<CartPage />, { at: '/cart' })
  await screen.findAllByTestId('cart-line')
  return {
    user: userEvent.setup(),
    requests,
    placed: () => requests.filter(({ path }) => path === '/api/order/place_order_COD'),
  }
}

const figure = (row: string) => screen.getByTestId(`summary-${row}`).textContent
const button = () => screen.getByRole('button', { name: 'Place Order' })

test('the fee of the zone and its next free window are shown, and the chosen one is ordered', async () => {
  const { user, placed, requests } = await openCart(ZONE, { [COD]: ok(RECEIPT) })
  await waitFor(() => expect(figure('shipping')).toBe('Rs. 50.00'))
  expect(figure('total')).toBe('Rs. 773.20')
  expect(requests.find(({ path }) => path === '/api/delivery/options')?.query).toEqual({ addressId: 'a-1' })
  expect(screen.queryByText(/free shipping/)).toBeNull()
  expect(await screen.findByRole('radio', { name: /Wed\s*18 Nov/ })).toBeChecked()
  expect(screen.getByRole('radio', { name: /07:00–09:00\s*Full/ })).toBeDisabled()
  expect(screen.getByRole('radio', { name: /16:00–18:00\s*3 places left/ })).toBeChecked()

  await user.click(screen.getByRole('radio', { name: /Thu\s*19 Nov/ }))
  expect(screen.getByRole('radio', { name: '07:00–09:00' })).toBeChecked()
  await waitFor(() => expect(button()).toBeEnabled())
  await user.click(button())
  await waitFor(() => expect(placed()).toHaveLength(1))
  expect(placed()[0]?.body).toMatchObject({
    deliveryWindow: 'w-1',
    deliveryDay: '2026-11-19',
    totalAmount: 773.2,
    shippingFee: 50,
  })
})

test('without zones nothing about delivery is asked or sent', async () => {
  const options = { ...ZONE, coverage: 'everywhere', zone: null, hasWindows: false, days: [], next: null }
  const { user, placed } = await openCart(options, { [COD]: ok(RECEIPT) })
  await waitFor(() => expect(button()).toBeEnabled())
  expect(screen.queryByText('Delivery time')).toBeNull()
  await user.click(button())
  await waitFor(() => expect(placed()).toHaveLength(1))
  expect(placed()[0]?.body).not.toHaveProperty('deliveryWindow')
  expect(placed()[0]?.body).not.toHaveProperty('noteShop')
})

test.each([
  [{ coverage: 'outside', hasWindows: false, days: [], next: null }, /We deliver to: City, Ring\./],
  [{ coverage: 'incomplete', hasWindows: false, days: [], next: null }, /Choose the municipality and ward/],
  [{ days: [], next: null }, /fully booked at the moment/],
  [{ minimum: 1000 }, /Add goods worth Rs\. 360\.00/],
])('an order that cannot be delivered says why: %j', async (change, text) => {
  await openCart({ ...ZONE, ...change })
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
  expect(button()).toBeDisabled()
})

test('a window that is full by now is replaced by the next one', async () => {
  let full = false
  const { user } = await openCart(ZONE, {
    [OPTIONS]: () =>
      ok(full ? { ...ZONE, days: ZONE.days.slice(1), next: { day: '2026-11-19', window: 'w-1' } } : ZONE),
    [COD]: () => {
      full = true
      return refused(409, 'delivery_full', 'This delivery time is fully booked.')
    },
  })
  await waitFor(() => expect(button()).toBeEnabled())
  await user.click(button())
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('fully booked now')
  await waitFor(() => expect(screen.getByRole('radio', { name: /Thu\s*19 Nov/ })).toBeChecked())
})

test('notes and wishes are sent with the order and cleared after it', async () => {
  cartStore.replaceFromServer({ 'p-oil': 2, 'p-tea': 1 })
  const { user, placed } = await openCart(ZONE, {
    'GET /api/product/get_products_by_ids': ok([
      aProduct({ id: 'p-oil', price: 320, stock: 42 }),
      aProduct({ id: 'p-tea', name: 'Ilam Tea', nameNe: null, price: 60, stock: 5 }),
    ]),
    [COD]: ok(RECEIPT),
  })
  await user.type(await screen.findByLabelText('Note for the shop'), ' ripe bananas ')
  await user.type(screen.getByLabelText('Note for the rider'), 'blue gate')
  await user.selectOptions(screen.getByLabelText('If something is not available'), 'Leave it out')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Ilam Tea' }), 'Call me')
  await waitFor(() => expect(button()).toBeEnabled())
  await user.click(button())
  await waitFor(() => expect(placed()).toHaveLength(1))
  expect(placed()[0]?.body).toMatchObject({
    noteShop: 'ripe bananas',
    noteRider: 'blue gate',
    ifUnavailable: 'leave_out',
    items: [
      { id: 'p-oil', quantity: 2 },
      { id: 'p-tea', quantity: 1, ifUnavailable: 'call' },
    ],
  })
  await waitFor(() => expect(orderNotes.read()).toEqual(EMPTY_NOTES))
})
