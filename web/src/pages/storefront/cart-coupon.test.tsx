import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { cartStore } from '@/features/cart/cart-store'
import { couponCode } from '@/features/cart/coupon-store'
import { cartNotices, serverCart } from '@/features/cart/notices'
import { writeSyncedCart } from '@/features/cart/synced-cart'
import { clearPendingOrder } from '@/features/orders/pending-order'
import { CartPage } from '@/pages/storefront/cart-page'
import { anAddress, aProduct, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const COD = 'POST /api/order/place_order_COD'
const QUOTE = 'POST /api/cart/quote_coupon'
const RECEIPT = { _id: 'o-1', orderId: 'TH7K2M', trackingNumber: 'T', total: 670.88 }
/** 10 % off oil at 320 rupees. */
const TENTH = ok({ code: 'TENTH', prices: { 'p-oil': 288 }, quote: {} })

beforeEach(() => {
  clearPendingOrder()
  cartNotices.set([])
  serverCart.set(null)
  writeSyncedCart(null)
  couponCode.set('')
  cartStore.replaceFromServer({ 'p-oil': 2 })
})

async function openCart(table: Parameters<typeof mockServer>[0]) {
  const requests = mockServer({
    'GET /api/user/isAuth': ok(aUser()),
    'GET /api/product/get_products_by_ids': ok([aProduct({ id: 'p-oil', price: 320, stock: 42 })]),
    'GET /api/address/get_addresses': ok([anAddress({ _id: 'a-1' })]),
    ...table,
  })
  await renderInShop(<CartPage />, { at: '/cart' })
  await screen.findAllByTestId('cart-line')
  const sent = (path: string) => requests.filter((request) => request.path === path)
  return { user: userEvent.setup(), sent }
}

const figure = (row: string) => screen.getByTestId(`summary-${row}`).textContent
const button = () => screen.getByRole('button', { name: 'Place Order' })
const field = () => screen.findByLabelText('Coupon code')
const apply = () => screen.getByRole('button', { name: 'Apply' })

test('a coupon is applied, shown, sent with the order and forgotten after it', async () => {
  const { user, sent } = await openCart({ [QUOTE]: TENTH, [COD]: ok(RECEIPT) })
  await user.click(await screen.findByText('Have a coupon?'))
  await user.type(await field(), ' tenth ')
  expect(screen.queryByTestId('summary-discount')).toBeNull()
  await user.click(apply())
  await waitFor(() => expect(figure('discount')).toBe('−Rs. 64.00'))
  expect([figure('goods'), figure('subtotal'), figure('tax'), figure('total')]).toEqual([
    'Rs. 640.00',
    'Rs. 576.00',
    'Rs. 74.88',
    'Rs. 670.88',
  ])
  expect(screen.getByText('Coupon TENTH')).toBeInTheDocument()
  expect(sent('/api/cart/quote_coupon')[0]?.body).toEqual({ code: 'TENTH', cartItems: { 'p-oil': 2 } })
  expect(sessionStorage.getItem('coupon')).toBe('TENTH')

  await waitFor(() => expect(button()).toBeEnabled())
  await user.click(button())
  await waitFor(() => expect(sent('/api/order/place_order_COD')).toHaveLength(1))
  expect(sent('/api/order/place_order_COD')[0]?.body).toMatchObject({ coupon: 'TENTH', totalAmount: 670.88 })
  await waitFor(() => expect(couponCode.read()).toBe(''))
  expect(sessionStorage.getItem('coupon')).toBeNull()
})

test('a code that cannot be used is explained beside its field and is not sent', async () => {
  const { user, sent } = await openCart({
    [QUOTE]: refused(409, 'coupon_unknown', 'We do not know this coupon.'),
    [COD]: ok(RECEIPT),
  })
  await user.click(await screen.findByText('Have a coupon?'))
  await user.click(apply())
  expect(await field()).toHaveAccessibleDescription('Enter the code of your coupon.')
  await user.type(await field(), 'NOPE')
  await user.click(apply())
  await waitFor(async () => expect(await field()).toHaveAccessibleDescription('We do not know this coupon.'))
  await waitFor(() => expect(button()).toBeEnabled())
  await user.click(button())
  await waitFor(() => expect(sent('/api/order/place_order_COD')).toHaveLength(1))
  expect(sent('/api/order/place_order_COD')[0]?.body).not.toHaveProperty('coupon')
})

test('a coupon that no longer fits the cart holds the order until it is removed', async () => {
  couponCode.set('TENTH')
  const { user } = await openCart({
    [QUOTE]: ({ body }) =>
      (body as { cartItems: Record<string, number> }).cartItems['p-oil'] === 2
        ? TENTH
        : refused(409, 'coupon_minimum', 'Please add goods worth 180 rupees.'),
  })
  await waitFor(() => expect(figure('discount')).toBe('−Rs. 64.00'))
  cartStore.replaceFromServer({ 'p-oil': 1 })
  expect(await screen.findByText('Please add goods worth 180 rupees.')).toBeInTheDocument()
  expect(screen.queryByTestId('summary-discount')).toBeNull()
  expect(screen.getByText(/Your coupon cannot be used for this cart/)).toBeInTheDocument()
  expect(button()).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Remove TENTH' }))
  await waitFor(() => expect(button()).toBeEnabled())
  expect(screen.getByText('Have a coupon?')).toBeInTheDocument()
})

test('an order that is refused because of its coupon says why', async () => {
  couponCode.set('TENTH')
  const { user } = await openCart({
    [QUOTE]: TENTH,
    [COD]: refused(409, 'coupon_used', 'You have used this coupon already.'),
  })
  await waitFor(() => expect(figure('discount')).toBe('−Rs. 64.00'))
  await waitFor(() => expect(button()).toBeEnabled())
  await user.click(button())
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('You have used this coupon already.')
})

test('a visitor sees no field for coupons', async () => {
  await openCart({})
  expect(await screen.findByText('Have a coupon?')).toBeInTheDocument()
  act(() => void queryClient.setQueryData(sessions.user.queryKey, null))
  await waitFor(() => expect(screen.queryByText('Have a coupon?')).toBeNull())
})
