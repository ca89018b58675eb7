import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { sessions } from '@/features/accounts/session'
import { cartStore } from '@/features/cart/cart-store'
import { startCartSync } from '@/features/cart/sync'
import { readSyncedCart, writeSyncedCart } from '@/features/cart/synced-cart'
import { MY_ORDERS_KEY } from '@/features/orders/api'
import {
  clearPendingOrder,
  markAwaitingPayment,
  pendingOrderFor,
  unansweredOrder,
} from '@/features/orders/pending-order'
import { activateLang } from '@/lib/i18n'
import { PaymentPage } from '@/pages/storefront/payment-page'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'
import { pass } from '@/test/time'

const VERIFY = 'POST /api/order/verify_khalti_payment'
const RETURN = '?pidx=P1&txnId=T1&amount=113000&purchase_order_id=O1&purchase_order_name=N1'
const PAID = {
  orderId: 'TH7K2M',
  trackingNumber: 'TRK-9Q4X',
  paymentMethod: 'Khalti',
  amount: 1130,
  amountPaisa: 113_000,
}
const PENDING = refused(503, 'payment_pending', 'Your payment is safe. We are confirming it.')
type Table = Parameters<typeof mockServer>[0]

beforeEach(() => {
  // The test controls the time, except for a millisecond whenever nothing else is pending.
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1 })
  cartStore.replaceFromServer({ 'p-oil': 2 })
  clearPendingOrder()
})
afterEach(async () => {
  vi.useRealTimers()
  window.history.replaceState(null, '', '/')
  writeSyncedCart(null)
  authDialog.close()
  await activateLang('en')
})

async function comeBack(query: string, answer: Table[string], table: Table = {}) {
  window.history.replaceState(null, '', `/payment${query}`)
  const requests = mockServer({ [VERIFY]: answer, ...table })
  const shop = await renderInShop(
    <>
      <PaymentPage />
      <AuthDialog />
    </>,
    { at: '/payment' },
  )
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  return {
    ...shop,
    user,
    verified: () => requests.filter(({ path }) => path.endsWith('verify_khalti_payment')),
  }
}

const state = () => screen.getByTestId('payment-state')
const becomes = (is: string) => waitFor(() => expect(state()).toHaveAttribute('data-state', is))

// spec: 2.payment.1, 2.payment.2, 4.payment.1, 7.shopper.8
test('verifying asks with all four values, which are gone from the address at once', async () => {
  const { verified } = await comeBack(RETURN, 'never')
  expect(screen.getByRole('heading', { level: 1, name: 'Verifying your payment…' })).toHaveFocus()
  expect(within(state()).getByRole('status')).toHaveAttribute('aria-busy', 'true')
  expect(window.location.search).toBe('')
  await waitFor(() => expect(verified()).toHaveLength(1))
  expect(verified()[0]?.body).toEqual({
    pidx: 'P1',
    txnId: 'T1',
    purchase_order_id: 'O1',
    purchase_order_name: 'N1',
  })
})

// spec: 2.payment.3, 4.payment.1, 4.payment.4, 9.const.22, 9.const.25
test('success tells the order and its sum, and leads to it after three seconds', async () => {
  const { address } = await comeBack(RETURN, ok(PAID))
  await becomes('success')
  await waitFor(() =>
    expect(screen.getByRole('heading', { level: 1, name: 'Payment successful' })).toHaveFocus(),
  )
  const said = within(state())
  expect(said.getByText('#TH7K2M')).toBeInTheDocument()
  expect(said.getByText('TRK-9Q4X')).toBeInTheDocument()
  expect(said.getByText('Khalti')).toBeInTheDocument()
  expect(said.getByText('Amount').parentElement).toHaveTextContent('Rs. 1130.00 (113000 paisa)')
  expect(screen.getByRole('link', { name: 'Go to My Orders' })).toHaveAttribute('href', '/orders#TH7K2M')
  expect(said.getByRole('status')).toHaveTextContent('Taking you to your orders in 3 s')
  await pass(2_700)
  expect(address()).toBe('/payment')
  await pass(400)
  expect(address()).toBe('/orders#TH7K2M')
})

test('the clock is seen running, but heard once', async () => {
  await comeBack(RETURN, ok(PAID))
  await becomes('success')
  await pass(1_050)
  const clock = screen.getByText('Taking you to your orders in 2 s')
  expect(clock).toHaveAttribute('aria-hidden', 'true')
  expect(within(state()).getByRole('status')).toHaveTextContent('in 3 s')
})

// spec: 4.cart.12
test('a paid order empties the cart by asking the server, and its lists and its key are forgotten', async () => {
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  const stored = { pages: [{ data: [] }], pageParams: [''] }
  queryClient.setQueryData([...MY_ORDERS_KEY, ''], stored)
  markAwaitingPayment(pendingOrderFor({ items: [], paymentMethod: 'Khalti' } as never))
  writeSyncedCart({ user: 'u-sita', items: { 'p-oil': 2 } })
  let onServer: object = { 'p-oil': 2 }
  const words = {
    success: true,
    message: '',
    dropped: [],
    quote: { subtotal: 0, tax: 0, shippingFee: 0, total: 0 },
  }
  const table: Table = {
    'GET /api/cart/get_cart': () => ({ body: { ...words, data: onServer } }),
    'POST /api/cart/update_cart': ({ body }) => ({
      body: { ...words, data: (body as { cartItems: object }).cartItems },
    }),
  }
  mockServer(table)
  const stop = startCartSync('u-sita')
  await pass(10)
  await comeBack(
    RETURN,
    () => {
      onServer = {}
      return ok(PAID)
    },
    table,
  )
  await waitFor(() => expect(cartStore.read()).toEqual({}))
  expect(readSyncedCart()?.items).toEqual({})
  expect(localStorage.getItem('thunse.person.pending-order')).toBeNull()
  expect(queryClient.getQueryState([...MY_ORDERS_KEY, ''])?.isInvalidated).toBe(true)
  stop()
})

test('a result that is looked at again the next day leaves a new cart alone', async () => {
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  writeSyncedCart({ user: 'u-sita', items: { 'p-oil': 2 } })
  const words = {
    success: true,
    message: '',
    dropped: [],
    quote: { subtotal: 0, tax: 0, shippingFee: 0, total: 0 },
  }
  const table = { 'GET /api/cart/get_cart': { body: { ...words, data: { 'p-oil': 2 } } } }
  mockServer(table)
  const stop = startCartSync('u-sita')
  await comeBack(RETURN, ok(PAID), table)
  await becomes('success')
  await pass(2_000)
  expect(cartStore.read()).toEqual({ 'p-oil': 2 })
  stop()
})

test('an order whose answer is still awaited keeps its key', async () => {
  const { key } = pendingOrderFor({ items: [], paymentMethod: 'COD' } as never)
  await comeBack('', refused(404, 'x', ''))
  await pass(500)
  expect(unansweredOrder()?.key).toBe(key)
})

// spec: 2.payment.4, 4.payment.1, 4.payment.5, 8.payment.1
test('a refusal is explained, told as a toast, and nobody is sent away', async () => {
  const { address, user } = await comeBack(
    RETURN,
    refused(409, 'payment_not_completed', 'The payment was not completed. Nothing was charged.'),
  )
  await becomes('error')
  expect(screen.getByTestId('toast')).toHaveTextContent('The payment was not completed.')
  expect(within(state()).getByRole('alert')).toHaveTextContent('Nothing was charged.')
  expect(screen.getByText('P1')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Copy payment reference' }))
  expect(await navigator.clipboard.readText()).toBe('P1')
  await pass(10_000)
  expect(address()).toBe('/payment')
})

test('in Nepali a refusal is said in the server’s Nepali words', async () => {
  await activateLang('ne')
  await comeBack(RETURN, refused(409, 'payment_conflict', 'फरक रकमको भुक्तानी आयो।'))
  await becomes('error')
  expect(screen.getByTestId('toast')).toHaveTextContent('फरक रकमको भुक्तानी आयो।')
})

// spec: 2.payment.4, 4.payment.6, 4.payment.7, 8.payment.2, 8.payment.3, 9.const.23
test.each([
  ['broken', serverFailed],
  ['undecided', PENDING],
  ['out of reach', 'no network' as const],
])('a server that is %s: the payment is safe, and home after five seconds', async (_what, answer) => {
  const { address } = await comeBack(RETURN, answer)
  await becomes('error')
  expect(within(state()).getByRole('alert')).toHaveTextContent('Your payment is safe.')
  expect(screen.queryByTestId('toast')).toBeNull()
  await pass(4_700)
  expect(address()).toBe('/payment')
  await pass(500)
  expect(address()).toBe('/')
})

test('whoever stays sees it succeed, and is not sent away then either', async () => {
  let requests = 0
  const { address, user } = await comeBack(RETURN, () => (++requests < 3 ? PENDING : ok(PAID)))
  await becomes('error')
  await user.click(screen.getByRole('button', { name: 'Stay on this page' }))
  expect(screen.queryByText(/Taking you to/)).toBeNull()
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  await pass(9_000)
  await becomes('success')
  await pass(10_000)
  expect(address()).toBe('/payment')
})

// spec: 2.payment.5, 4.payment.1, 4.payment.2, 4.payment.3, 9.const.22
test.each([
  ['?pidx=P1&status=User+canceled', 1],
  ['?txnId=T1', 0],
  ['', 0],
])(
  '%j is cancelled, asks %i times, keeps the cart, and leads home after three seconds',
  async (query, times) => {
    const { verified, address } = await comeBack(query, refused(409, 'payment_not_completed', 'x'))
    await becomes('cancelled')
    expect(screen.getByText(/^We have not received a payment/)).toBeInTheDocument()
    expect(screen.getByText('Your cart is still here.')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Back to cart' })).toHaveAttribute('href', '/cart')
    await pass(2_700)
    expect(address()).toBe('/payment')
    expect(screen.queryByTestId('toast')).toBeNull()
    expect(verified()).toHaveLength(times)
    await pass(400)
    expect(address()).toBe('/')
    expect(cartStore.read()).toEqual({ 'p-oil': 2 })
  },
)

test("'Stay on this page' ends the countdown", async () => {
  const { address, user } = await comeBack('', 'never')
  await becomes('cancelled')
  await user.click(screen.getByRole('button', { name: 'Stay on this page' }))
  await pass(20_000)
  expect(address()).toBe('/payment')
  expect(screen.getByRole('heading', { level: 1, name: 'Payment cancelled' })).toBeInTheDocument()
})

test('cancelled with an empty cart offers no way back to it', async () => {
  cartStore.replaceFromServer({})
  await comeBack('', 'never')
  expect(screen.queryByText('Your cart is still here.')).toBeNull()
  expect(screen.getByRole('link', { name: 'Go to My Orders' })).toBeInTheDocument()
})

test('nobody signed in: success without details, and home', async () => {
  const { address } = await comeBack(RETURN, ok(null))
  await becomes('success')
  expect(screen.getByText('Log in to see your order.')).toBeInTheDocument()
  expect(screen.queryByText('Order id')).toBeNull()
  expect(screen.getByRole('button', { name: 'Login' })).toBeInTheDocument()
  await pass(3_100)
  expect(address()).toBe('/')
})

test('whoever logs in there sees the rest', async () => {
  let signedIn = false
  const { user, verified, address } = await comeBack(RETURN, () => ok(signedIn ? PAID : null))
  await becomes('success')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  signedIn = true
  act(() => {
    authDialog.close()
    queryClient.setQueryData(sessions.user.queryKey, aUser())
  })
  expect(await screen.findByText('#TH7K2M')).toBeInTheDocument()
  await pass(10_000)
  expect(verified()).toHaveLength(2)
  expect(address()).toBe('/payment')
})
