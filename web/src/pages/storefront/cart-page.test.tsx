import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { sessions, type User } from '@/features/accounts/session'
import { cartStore } from '@/features/cart/cart-store'
import { cartNotices, serverCart } from '@/features/cart/notices'
import { startCartSync } from '@/features/cart/sync'
import { writeSyncedCart } from '@/features/cart/synced-cart'
import type { Order } from '@/features/orders/api'
import * as ownHolds from '@/features/orders/own-holds'
import { clearPendingOrder, pendingOrderFor, unansweredOrder } from '@/features/orders/pending-order'
import { settings } from '@/lib/first-data'
import { CartPage } from '@/pages/storefront/cart-page'
import { anAddress, anOrder, aProduct, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'
import { holdTime, pass } from '@/test/time'

const OIL = aProduct({ id: 'p-oil', price: 320, stock: 42 })
const TEA = aProduct({ id: 'p-tea', name: 'Ilam Tea', nameNe: null, price: 60, stock: 5 })
const COD = 'POST /api/order/place_order_COD'
const ONLINE = 'POST /api/order/place_order_online'
const MINE = 'GET /api/order/get_order'
const FIND_PLACED = 'GET /api/order/get_order_placement'
const RECEIPT = { _id: 'o-1', orderId: 'TH7K2M', trackingNumber: 'T', total: 811 }

const QUOTE = { subtotal: 0, tax: 0, shippingFee: 0, total: 0 }

type Table = Parameters<typeof mockServer>[0]

beforeEach(() => {
  clearPendingOrder()
  cartNotices.set([])
  serverCart.set(null)
  writeSyncedCart(null)
  cartStore.replaceFromServer({ 'p-oil': 2, 'p-tea': 1 })
})
afterEach(() => authDialog.close())

async function openCart(person: User | null = aUser(), table: Table = {}) {
  const requests = mockServer({
    'GET /api/user/isAuth': person ? ok(person) : refused(401, 'signed_out', ''),
    'GET /api/product/get_products_by_ids': ok([OIL, TEA]),
    'GET /api/address/get_addresses': ok([]),
    ...table,
  })
  const shop = await renderInShop(
    <>
      <CartPage />
      <AuthDialog />
    </>,
    { at: '/cart' },
  )
  await waitFor(() => expect(document.body).not.toHaveTextContent('Loading'))
  return {
    ...shop,
    user: userEvent.setup(),
    requestCount: (what: string) =>
      requests.filter(({ method, path }) => `${method} ${path}` === what).length,
    placed: () => requests.filter(({ path }) => path.startsWith('/api/order/place')),
  }
}

const button = () => screen.findByRole('button', { name: /Place Order|Processing/ })
const figure = (row: string) => screen.getByTestId(`summary-${row}`).textContent
const press = async (user: ReturnType<typeof userEvent.setup>) => {
  await waitFor(async () => expect(await button()).toBeEnabled())
  await user.click(await button())
}

test('a visitor is led on by Log in to order, and Place Order waits', async () => {
  const { user } = await openCart(null)
  expect(await button()).toBeDisabled()
  await user.click(await screen.findByRole('button', { name: 'Log in to order' }))
  expect(await screen.findByRole('dialog')).toBeInTheDocument()
})

test('a line says the size of its pack', async () => {
  await openCart()
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect((await screen.findAllByTestId('cart-line'))[1]).toHaveTextContent('1 L bottle · Rs. 320.00 each')
  expect(screen.queryByRole('button', { name: 'Log in to order' })).toBeNull()
})

// spec: 2.cart.1, 2.cart.2, 2.cart.4, 4.pay.1, 9.const.6
test('lines, figures with two decimals, the cash to keep ready, the choice of payment and Place Order', async () => {
  await openCart()
  // The newest line comes first.
  const [tea, oil, ...others] = await screen.findAllByTestId('cart-line')
  expect(oil).toHaveTextContent('Mustard Oil')
  expect(oil).toHaveTextContent('Rs. 640.00')
  expect(tea).toHaveTextContent('Ilam Tea')
  expect(others).toEqual([])
  expect(['subtotal', 'shipping', 'tax', 'total'].map(figure)).toEqual([
    'Rs. 700.00',
    'Rs. 20.00',
    'Rs. 91.00',
    'Rs. 811.00',
  ])
  expect(screen.getByText('Rs. 300.00 more for free shipping')).toBeInTheDocument()
  expect(screen.getByText('Please have Rs. 811.00 ready')).toBeInTheDocument()
  expect(screen.getByRole('radio', { name: /Cash on Delivery \(COD\)/ })).toBeChecked()
  expect(screen.getByRole('radio', { name: 'Online' })).not.toBeChecked()
  expect(await button()).toHaveTextContent('Place Order')
})

// spec: 9.const.2, 9.const.3, 9.const.4, 9.const.5, 9.const.6
test.each([
  [500, 1, ['500.00', '20.00', '65.00', '585.00'], 'Rs. 500.00 more for free shipping'],
  [500, 2, ['1000.00', '20.00', '130.00', '1150.00'], 'Add any item for free shipping'],
  [500.5, 2, ['1001.00', '0.00', '130.13', '1131.13'], 'You have free shipping'],
  [333.33, 1, ['333.33', '20.00', '43.33', '396.66'], 'Rs. 666.67 more for free shipping'],
])('%d rupees, %d times, come to the figures of the table, to the paisa', async (price, times, sums, way) => {
  cartStore.replaceFromServer({ 'p-oil': times })
  await openCart(aUser(), {
    'GET /api/product/get_products_by_ids': ok([aProduct({ ...OIL, price })]),
  })
  await screen.findByTestId('cart-line')
  // The price of the last visit is shown until the response arrives.
  await waitFor(() =>
    expect(['subtotal', 'shipping', 'tax', 'total'].map(figure)).toEqual(sums.map((sum) => `Rs. ${sum}`)),
  )
  expect(screen.getByText(way)).toBeInTheDocument()
})

// spec: 2.cart.5, 4.cart.2, 4.cart.3, 4.cart.4, 4.cart.6, 4.cart.7
test('a line shrinks piece by piece, the bin takes a whole one, and an empty cart has the focus on its heading', async () => {
  const { user } = await openCart()
  await screen.findAllByTestId('cart-line')
  await user.click(screen.getByRole('button', { name: 'Remove Mustard Oil' }))
  expect(screen.getByTestId('toast')).toHaveTextContent('Product removed from cart.')
  expect(cartStore.read()).toEqual({ 'p-tea': 1 })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })

  const less = await screen.findByRole('button', { name: 'Decrease Mustard Oil' })
  await user.click(less)
  expect(screen.getByText('Removed from cart')).toBeInTheDocument()
  expect(cartStore.read()).toEqual({ 'p-oil': 1, 'p-tea': 1 })
  await user.click(less)
  expect(cartStore.read()).toEqual({ 'p-tea': 1 })
  await user.click(screen.getByRole('button', { name: 'Decrease Ilam Tea' }))
  expect(screen.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toHaveFocus()
})

test('without a connection the cart can be changed, and Place Order waits and says why', async () => {
  const { user } = await openCart()
  await waitFor(async () => expect(await button()).toBeEnabled())
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(await button()).toBeDisabled()
  expect(await button()).toHaveAccessibleDescription(/Ordering needs a connection/)
  await user.click(screen.getByRole('button', { name: 'Increase Ilam Tea' }))
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 2 })
  onLine.mockRestore()
  act(() => void window.dispatchEvent(new Event('online')))
  await waitFor(async () => expect(await button()).toBeEnabled())
})

// spec: 2.cart.5, 2.cart.6
test('an empty cart offers a way out', async () => {
  cartStore.replaceFromServer({})
  await openCart()
  expect(screen.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Browse Products' })).toHaveAttribute('href', '/products')
})

test('a visitor is asked to log in for the address, and cannot order', async () => {
  const { user } = await openCart(null)
  expect(await screen.findByText('Log in to add your delivery address')).toBeInTheDocument()
  expect(await button()).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Login' }))
  expect(screen.getByRole('dialog')).toBeInTheDocument()
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
})

// spec: 4.checkout.2, 5.checkout.1, 5.checkout.3
test('without an address the button sleeps, a hint says why, and a press on it says it aloud', async () => {
  const { user } = await openCart(aUser({ address: '' }))
  await screen.findByRole('link', { name: 'Add address' })
  const place = await button()
  expect(place).toBeDisabled()
  expect(place).toHaveAccessibleDescription('Please add a delivery address')
  await user.click(place.parentElement as HTMLElement)
  expect(screen.getByTestId('toast')).toHaveTextContent('Please add a delivery address.')
})

// spec: 2.cart.3, 2.cart.7
test('the address of the profile is used, with ways to change it', async () => {
  await openCart()
  expect(await screen.findByText('Baneshwor-10, Kathmandu')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Edit address' })).toHaveAttribute('href', '/profile')
  expect(screen.getByRole('link', { name: 'Add address' })).toHaveAttribute('href', '/add_address')
})

// spec: 2.cart.7
test.each([
  ['a saved address', [anAddress()], 'a-home'],
  ['no saved address, where the profile’s own field is opened', [], ''],
])("'Edit address' tells the profile what to open: %s", async (_what, book, opened) => {
  const { user, router } = await openCart(aUser(), { 'GET /api/address/get_addresses': ok(book) })
  await waitFor(async () => expect(await button()).toBeEnabled())
  await user.click(screen.getByRole('link', { name: 'Edit address' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile'))
  expect(router.state.location.state).toMatchObject({ editAddress: opened })
})

test('one chooses among several saved addresses, the default first', async () => {
  const office = anAddress({
    _id: 'a-office',
    address: 'Office',
    line: 'Patan-3',
    isDefault: false,
    phone: '9800000000',
  })
  const { user, placed } = await openCart(aUser(), {
    'GET /api/address/get_addresses': ok([office, anAddress()]),
    [COD]: ok(RECEIPT),
  })
  expect(await screen.findByRole('radio', { name: /Home/ })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: /Office/ }))
  await press(user)
  await waitFor(() => expect(placed()).toHaveLength(1))
  expect(placed()[0]?.body).toMatchObject({ address: 'Patan-3', addressId: 'a-office', phone: '9800000000' })
})

// spec: 4.checkout.3, 4.pay.2, 4.pay.3, 4.pay.4, 5.checkout.2, 5.checkout.4, 9.const.13
test('online asks for a wallet, and cash forgets it again', async () => {
  const { user } = await openCart()
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(screen.getAllByRole('radio').map((each) => each.closest('label')?.textContent)).toEqual([
    expect.stringMatching(/^Cash on Delivery \(COD\)/),
    'Online',
  ])
  await user.click(screen.getByRole('radio', { name: 'Online' }))
  const wallets = screen.getByRole('group', { name: 'Choose a wallet' })
  expect(within(wallets).getAllByRole('radio')).toHaveLength(1)
  expect(await button()).toBeDisabled()
  expect(await button()).toHaveAccessibleDescription('Please select an online payment option')
  await user.click((await button()).parentElement as HTMLElement)
  expect(screen.getByTestId('toast')).toHaveTextContent('Please select an online payment option.')
  await user.click(within(wallets).getByRole('radio', { name: 'Khalti' }))
  await waitFor(async () => expect(await button()).toBeEnabled())
  await user.click(screen.getByRole('radio', { name: /Cash/ }))
  expect(screen.queryByRole('group', { name: 'Choose a wallet' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Online' }))
  expect(screen.getByRole('radio', { name: 'Khalti' })).not.toBeChecked()
})

// spec: 4.cart.11, 7.answers.2, 7.shopper.6, 8.success.3
test('an order is sent with its own key, empties the cart and leads to the orders', async () => {
  const { user, placed, address } = await openCart(aUser(), { [COD]: ok(RECEIPT) })
  await press(user)
  await expect.poll(address).toBe('/orders#TH7K2M')
  expect(screen.getByTestId('toast')).toHaveTextContent('Order placed successfully!')
  expect(placed()).toHaveLength(1)
  expect(placed()[0]).toMatchObject({
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    body: {
      items: [
        { id: 'p-oil', quantity: 2 },
        { id: 'p-tea', quantity: 1 },
      ],
      address: 'Baneshwor-10, Kathmandu',
      totalAmount: 811,
      shippingFee: 20,
      tax: 91,
      paymentMethod: 'COD',
      name: 'Sita Sharma',
      email: 'sita@example.com',
      phone: '9841234567',
    },
  })
  expect(cartStore.read()).toEqual({})
})

// spec: 4.checkout.1, 4.checkout.4
test('while it is sent the button says so and a second press sends nothing', async () => {
  const { user, placed } = await openCart(aUser(), { [COD]: 'never' })
  await press(user)
  const place = await screen.findByRole('button', { name: 'Processing...' })
  expect(place).toBeDisabled()
  await user.click(place)
  await waitFor(() => expect(placed()).toHaveLength(1))
})

test('a lost answer is sent again under the same key', async () => {
  const { user, placed } = await openCart(aUser(), { [COD]: 'no network' })
  await press(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Error placing order. Please try again.')
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('your order will be placed only once')
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
  await press(user)
  await waitFor(() => expect(placed()).toHaveLength(2))
  expect(placed()[1]?.key).toBe(placed()[0]?.key)
})

/** The response to an order is lost, then the cart is changed and ordered again. */
async function orderAfterLost(became: Table[string]) {
  const shop = await openCart(aUser(), { [COD]: 'no network', [FIND_PLACED]: became })
  await press(shop.user)
  await screen.findByTestId('order-problem')
  const { key } = shop.placed()[0] as { key: string }
  act(() => cartStore.removeLine('p-tea'))
  expect(screen.queryByTestId('order-problem')).toBeNull()
  await press(shop.user)
  return { ...shop, key }
}

test('a changed order is not sent when the one before was placed after all', async () => {
  const { placed, address } = await orderAfterLost(ok({ receipt: RECEIPT }))
  await expect.poll(address).toBe('/orders#TH7K2M')
  expect(placed()).toHaveLength(1)
  expect(unansweredOrder()).toBeNull()
})

test('a changed order gets its own key when the one before never arrived', async () => {
  const { placed, key } = await orderAfterLost(ok({ receipt: null }))
  await waitFor(() => expect(placed()).toHaveLength(2))
  expect(placed()[1]?.key).not.toBe(key)
  expect(placed()[1]?.body).toMatchObject({ items: [{ id: 'p-oil', quantity: 2 }] })
})

test.each([['no network' as const], [serverFailed], [refused(429, 'too_many_requests', 'x')]])(
  'while nobody knows what became of the one before, nothing is sent and its key stays',
  async (failure) => {
    const { placed, key } = await orderAfterLost(failure)
    expect(await screen.findByTestId('order-problem')).toHaveTextContent(
      'your order will be placed only once',
    )
    expect(placed()).toHaveLength(1)
    expect(unansweredOrder()?.key).toBe(key)
  },
)

const loadedCart = () =>
  act(() =>
    serverCart.set({
      items: {},
      quote: QUOTE,
      at: Date.now(),
    }),
  )

const lostOrder = (paymentMethod = 'COD') => {
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  return pendingOrderFor({
    items: [{ id: 'p-oil', quantity: 2 }],
    address: 'x',
    totalAmount: 1,
    shippingFee: 1,
    tax: 1,
    paymentMethod,
    name: 'x',
    email: 'x',
    phone: 'x',
  })
}

test('a placed order’s goods leave a cart that was loaded before it', async () => {
  const words = { success: true, message: '', dropped: [], quote: QUOTE }
  let onServer: object = { 'p-oil': 2, 'p-tea': 1 }
  mockServer({ 'GET /api/cart/get_cart': () => ({ body: { ...words, data: onServer } }) })
  writeSyncedCart({ user: 'u-sita', items: { 'p-oil': 2, 'p-tea': 1 } })
  const stop = startCartSync('u-sita')
  await waitFor(() => expect(serverCart.read()).not.toBeNull())
  lostOrder()
  onServer = { 'p-tea': 1 }
  const { address } = await openCart(aUser(), {
    [FIND_PLACED]: ok({ receipt: RECEIPT }),
    'GET /api/cart/get_cart': () => ({ body: { ...words, data: onServer } }),
  })
  await expect.poll(address).toBe('/orders#TH7K2M')
  await waitFor(() => expect(cartStore.read()).toEqual({ 'p-tea': 1 }))
  stop()
})

test('after a reload the server is asked what became of an order whose answer was lost', async () => {
  lostOrder()
  cartStore.replaceFromServer({})
  const { placed, address } = await openCart(aUser(), { [FIND_PLACED]: ok({ receipt: RECEIPT }) })
  loadedCart()
  await expect.poll(address).toBe('/orders#TH7K2M')
  expect(placed()).toHaveLength(0)
})

test('an order that never arrived is not sent by itself', async () => {
  const { key } = lostOrder()
  const requests: unknown[] = []
  const { placed, address } = await openCart(aUser(), {
    [FIND_PLACED]: (question) => {
      requests.push(question.key)
      return ok({ receipt: null })
    },
  })
  loadedCart()
  await expect.poll(() => requests).toEqual([key])
  // The button is busy until the question about the order is closed.
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(address()).toBe('/cart')
  expect(placed()).toHaveLength(0)
  expect(unansweredOrder()?.key).toBe(key)
})

test('a price that rose shows the new figures and asks to order again', async () => {
  let requests = 0
  const { user, placed } = await openCart(aUser(), {
    [COD]: () =>
      requests++ === 0
        ? refused(409, 'price_changed', 'x', {
            quote: { subtotal: 800, tax: 104, shippingFee: 20, total: 924 },
          })
        : ok(RECEIPT),
  })
  await press(user)
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('The price has changed.')
  expect(screen.getByTestId('toast')).toHaveTextContent('Failed to place order. Please try again.')
  expect(figure('total')).toBe('Rs. 924.00')
  await press(user)
  await waitFor(() => expect(placed()[1]?.body).toMatchObject({ totalAmount: 924, tax: 104 }))
  expect(placed()[1]?.key).not.toBe(placed()[0]?.key)
})

test('what is not there any more is marked, and one press puts it right', async () => {
  const products = [
    { _id: 'p-oil', name: 'Mustard Oil', nameNe: null, available: 1 },
    { _id: 'p-tea', name: 'Ilam Tea', nameNe: null, available: 0 },
  ]
  let loaded = [OIL, TEA]
  const { user } = await openCart(aUser(), {
    'GET /api/product/get_products_by_ids': () => ok(loaded),
    [COD]: () => {
      loaded = [aProduct({ ...OIL, stock: 1 }), aProduct({ ...TEA, stock: 0 })]
      return refused(409, 'out_of_stock', 'Only 1 left of Mustard Oil.', { products })
    },
  })
  await press(user)
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('Only 1 left of Mustard Oil.')
  await user.click(screen.getByRole('button', { name: 'Change to 1: Mustard Oil' }))
  expect(cartStore.read()).toEqual({ 'p-oil': 1, 'p-tea': 1 })
  expect(screen.queryByTestId('order-problem')).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Remove: Ilam Tea' }))
  expect(cartStore.read()).toEqual({ 'p-oil': 1 })
  expect(screen.queryByRole('button', { name: /^Change to/ })).toBeNull()
})

test('what is sold no more is named, and gone with one press', async () => {
  const message = 'Ilam Tea is no longer sold.'
  const products = [{ _id: 'p-tea', name: 'Ilam Tea', nameNe: null, available: 0 }]
  let times = 0
  const { user, placed } = await openCart(aUser(), {
    [COD]: () => (times++ === 0 ? refused(409, 'product_gone', message, { products }) : ok(RECEIPT)),
  })
  await press(user)
  expect(await screen.findByTestId('order-problem')).toHaveTextContent(message)
  await user.click(await screen.findByRole('button', { name: 'Remove: Ilam Tea' }))
  await press(user)
  await waitFor(() => expect(placed()[1]?.body).toMatchObject({ items: [{ id: 'p-oil', quantity: 2 }] }))
})

test('a refusal and its marks go with the cart they were said of', async () => {
  const products = [{ _id: 'p-oil', name: 'Mustard Oil', nameNe: null, available: 1 }]
  const { user } = await openCart(aUser(), { [COD]: refused(409, 'out_of_stock', 'x', { products }) })
  await press(user)
  expect(await screen.findByRole('button', { name: /^Change to 1/ })).toBeInTheDocument()
  act(() => cartStore.removeLine('p-tea'))
  expect(screen.queryByTestId('order-problem')).toBeNull()
  // The stock was fetched again after the refusal and is sufficient.
  expect(screen.queryByRole('button', { name: /^Change to/ })).toBeNull()
})

/** There is one oil and no tea in stock; the shopper's unpaid order holds two and one. */
const soldOut = (orders: Table[string]): Table => ({
  'GET /api/product/get_products_by_ids': ok([
    aProduct({ ...OIL, stock: 1 }),
    aProduct({ ...TEA, stock: 0 }),
  ]),
  [MINE]: orders,
})
const unpaid = (changes: Parameters<typeof anOrder>[0] = {}) =>
  anOrder({ status: 'Payment Pending', paymentState: 'awaiting', canPay: true, ...changes })

test('what one’s own unpaid order holds can be ordered, and no more than that', async () => {
  const { user, placed } = await openCart(aUser(), { ...soldOut(ok([unpaid()])), [COD]: ok(RECEIPT) })
  const note = within(await screen.findByTestId('own-hold'))
  expect(note.getByRole('link', { name: 'Go to My Orders' })).toHaveAttribute('href', '/orders')
  expect(screen.queryByText('Out of stock')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Change to/ })).toBeNull()
  const more = screen.getByRole('button', { name: 'Increase Mustard Oil' })
  await user.click(more)
  await user.click(more)
  expect(cartStore.read()).toEqual({ 'p-oil': 3, 'p-tea': 1 })
  expect(more).toHaveAttribute('aria-disabled', 'true')
  await press(user)
  await waitFor(() => expect(placed()[0]?.body).toMatchObject({ items: [{ quantity: 3 }, { quantity: 1 }] }))
})

test('somebody who takes less may change their mind', async () => {
  const { user } = await openCart(aUser(), soldOut(ok([unpaid()])))
  await screen.findByTestId('own-hold')
  act(() => cartStore.removeLine('p-tea'))
  await user.click(screen.getByRole('button', { name: 'Decrease Mustard Oil' }))
  await waitFor(() => expect(screen.queryByTestId('own-hold')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Increase Mustard Oil' }))
  expect(cartStore.read()).toEqual({ 'p-oil': 2 })
  expect(screen.getByTestId('own-hold')).toBeInTheDocument()
})

test.each<[string, Table[string]]>([
  ['no unpaid order', ok([unpaid({ status: 'Cancelled', canPay: false })])],
  ['a broken server', serverFailed],
  ['no network', 'no network'],
])('the stock figure counts with %s', async (_what, orders) => {
  const fetchHolds = vi.spyOn(ownHolds, 'fetchHolds')
  const { requestCount } = await openCart(aUser(), soldOut(orders))
  await waitFor(() => expect(fetchHolds).toHaveBeenCalledOnce())
  await act(() => Promise.allSettled(fetchHolds.mock.results.map(({ value }) => value)))
  expect(requestCount(MINE)).toBe(1)
  expect(screen.getByText('Only 1 available')).toBeInTheDocument()
  expect(screen.getByText('Out of stock')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Change to 1: Mustard Oil' })).toBeInTheDocument()
  expect(screen.queryByTestId('own-hold')).toBeNull()
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('nobody’s orders are asked for where there is enough, only once more is wanted', async () => {
  let orders: Order[] = []
  const { requestCount } = await openCart(aUser(), { [MINE]: () => ok(orders) })
  await waitFor(async () => expect(await button()).toBeEnabled())
  orders = [unpaid()]
  act(() => cartStore.replaceFromServer({ 'p-oil': 2, 'p-tea': 6 }))
  expect(await screen.findByTestId('own-hold')).toBeInTheDocument()
  expect(requestCount(MINE)).toBe(1)
})

test('nobody’s orders are asked for a visitor, only once they have logged in', async () => {
  const { requestCount } = await openCart(null, soldOut(ok([unpaid()])))
  expect(await screen.findByText('Out of stock')).toBeInTheDocument()
  await screen.findByText('Log in to add your delivery address')
  act(() => void queryClient.setQueryData(sessions.user.queryKey, aUser()))
  expect(await screen.findByTestId('own-hold')).toBeInTheDocument()
  expect(requestCount(MINE)).toBe(1)
})

test('a line that has just come is not called gone, and nothing is ordered without it', async () => {
  let answer = () => {}
  await openCart()
  await waitFor(async () => expect(await button()).toBeEnabled())
  const wait = new Promise<void>((resolve) => (answer = resolve))
  vi.stubGlobal('fetch', async () => {
    await wait
    return Response.json(ok([OIL, TEA, aProduct({ id: 'p-new', name: 'New Ghee' })]).body)
  })
  act(() => cartStore.replaceFromServer({ 'p-oil': 2, 'p-tea': 1, 'p-new': 1 }))
  expect(await button()).toBeDisabled()
  expect(screen.getAllByTestId('cart-line')).toHaveLength(2)
  expect(screen.queryByText('No longer available')).toBeNull()
  answer()
  await waitFor(() => expect(screen.getAllByTestId('cart-line')).toHaveLength(3))
  await waitFor(async () => expect(await button()).toBeEnabled())
})

test('an ended session opens the login and keeps cart and key', async () => {
  let requests = 0
  const { user, placed } = await openCart(aUser(), {
    [COD]: () => (requests++ === 0 ? refused(401, 'signed_out', 'Please log in.') : ok(RECEIPT)),
    'POST /api/user/login': ok(aUser()),
  })
  await press(user)
  const dialog = within(await screen.findByRole('dialog'))
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
  await user.type(await dialog.findByLabelText('Email'), 'sita@example.com')
  await user.type(dialog.getByLabelText('Password'), 'correct horse')
  await user.click(dialog.getByText('Login', { selector: '[type=submit]' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press(user)
  await waitFor(() => expect(placed()).toHaveLength(2))
  expect(placed()[1]?.key).toBe(placed()[0]?.key)
})

const UNSUCCESSFUL = { body: { success: false } }

// spec: 7.answers.1, 8.orders.4
test('an answer that says no without saying why is told, and the cart stays', async () => {
  const { user } = await openCart(aUser(), { [COD]: UNSUCCESSFUL })
  await press(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Failed to place order. Please try again.')
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
})

// spec: 8.orders.6
test('an online order that is refused without a reason gets no toast either', async () => {
  const { user } = await openCart(aUser(), { [ONLINE]: UNSUCCESSFUL })
  await payOnline(user)
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('Your order was not placed.')
  expect(screen.queryByTestId('toast')).toBeNull()
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
})

// spec: 8.orders.6
test('a wallet that cannot be used gets no toast, but an explanation', async () => {
  const { user, placed } = await openCart(aUser(), {
    [ONLINE]: refused(503, 'online_payment_unavailable', 'x'),
  })
  await waitFor(async () => expect(await button()).toBeEnabled())
  await user.click(screen.getByRole('radio', { name: 'Online' }))
  await user.click(screen.getByRole('radio', { name: 'Khalti' }))
  await press(user)
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('You can pay cash on delivery.')
  expect(placed()[0]?.body).toMatchObject({ paymentMethod: 'Khalti' })
  expect(screen.queryByTestId('toast')).toBeNull()
  expect(screen.getByRole('radio', { name: 'Khalti' })).toBeChecked()
  // The order has its response: a reload does not ask about it, and the next press repeats the same order.
  expect(unansweredOrder()).toBeNull()
  await press(user)
  await waitFor(() => expect(placed()).toHaveLength(2))
  expect(placed()[1]?.key).toBe(placed()[0]?.key)
})

/** Chooses the wallet and presses the button. */
async function payOnline(user: ReturnType<typeof userEvent.setup>) {
  await waitFor(async () => expect(await button()).toBeEnabled())
  await user.click(screen.getByRole('radio', { name: 'Online' }))
  await user.click(screen.getByRole('radio', { name: 'Khalti' }))
  await press(user)
}

const ONLINE_RECEIPT = { ...RECEIPT, paymentMethod: 'Khalti', payment_url: 'https://pay.example/1' }
const leaving = () => vi.spyOn(window.location, 'assign').mockImplementation(() => {})
/** The browser restores the page from its cache. */
const comeBack = () =>
  act(() => {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  })

// spec: 7.answers.3, 8.success.4
test('a wallet that can be used takes the browser along, and the button stays busy on the way', async () => {
  const assign = leaving()
  const { user } = await openCart(aUser(), { [ONLINE]: ok(ONLINE_RECEIPT) })
  holdTime()
  await payOnline(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Redirecting to Khalti for payment...')
  await pass(700)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'))
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
  await pass(10_000)
  expect(await button()).toBeDisabled()
  expect(await button()).toHaveTextContent('Processing...')
})

test('back from the wallet the button works again, and the same order leads to the same page', async () => {
  const assign = leaving()
  const { user, placed } = await openCart(aUser(), { [ONLINE]: ok(ONLINE_RECEIPT) })
  await payOnline(user)
  await waitFor(() => expect(assign).toHaveBeenCalled())
  comeBack()
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(screen.queryByTestId('toast')).toBeNull()
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
  await press(user)
  await waitFor(() => expect(assign).toHaveBeenCalledTimes(2))
  expect(placed()).toHaveLength(2)
  expect(placed()[1]?.key).toBe(placed()[0]?.key)
})

test('back from the wallet and then cash is another order, and nobody is asked about the first', async () => {
  const assign = leaving()
  const { user, placed, address } = await openCart(aUser(), {
    [ONLINE]: ok(ONLINE_RECEIPT),
    [COD]: ok({ ...RECEIPT, orderId: 'CASH01' }),
  })
  await payOnline(user)
  await waitFor(() => expect(assign).toHaveBeenCalled())
  comeBack()
  await user.click(screen.getByRole('radio', { name: /Cash on Delivery/ }))
  await press(user)
  await expect.poll(address).toBe('/orders#CASH01')
  expect(placed()[1]?.key).not.toBe(placed()[0]?.key)
})

test('the same order anew, when the first is over, is a new order', async () => {
  const assign = leaving()
  let times = 0
  const { user, placed } = await openCart(aUser(), {
    [ONLINE]: () =>
      ++times === 2
        ? refused(409, 'not_payable', 'x')
        : ok({ ...ONLINE_RECEIPT, payment_url: `https://pay.example/${times}` }),
  })
  await payOnline(user)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'))
  comeBack()
  await press(user)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/3'))
  const keys = placed().map(({ key }) => key)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test('an order that can never be paid is not sent for ever', async () => {
  const { user, placed } = await openCart(aUser(), { [ONLINE]: refused(409, 'not_payable', 'x') })
  await payOnline(user)
  expect(await screen.findByTestId('order-problem')).toHaveTextContent('Your order was not placed.')
  expect(placed()).toHaveLength(2)
})

test('an online order whose answer was lost is shown where it can be paid, without a word of success', async () => {
  const { key } = lostOrder('Khalti')
  const { address } = await openCart(aUser(), {
    [FIND_PLACED]: ok({ receipt: { ...ONLINE_RECEIPT, payment_url: undefined } }),
  })
  loadedCart()
  await expect.poll(address).toBe('/orders#TH7K2M')
  expect(screen.queryByTestId('toast')).toBeNull()
  expect(pendingOrderFor({} as never).key).not.toBe(key)
})

// spec: 8.orders.6
test.each([
  ['too_many_unpaid', 409, 'still waiting for payment'],
  ['hold_limit', 409, 'Please order a little less.'],
  ['out_of_stock', 409, 'Mustard Oil is sold out'],
  ['too_many_requests', 429, 'Too many orders in a short time.'],
  ['something_new', 422, 'Your order was not placed.'],
])(
  'a refused online order (%s) is explained beside the button and nowhere else',
  async (code, status, text) => {
    const { user } = await openCart(aUser(), { [ONLINE]: refused(status, code, 'Mustard Oil is sold out') })
    await payOnline(user)
    expect(await screen.findByTestId('order-problem')).toHaveTextContent(text)
    expect(screen.queryByTestId('toast')).toBeNull()
    expect(
      within(screen.getByTestId('order-problem')).queryByRole('link')?.getAttribute('href') ?? null,
    ).toBe(code === 'too_many_unpaid' ? '/orders' : null)
    await waitFor(async () => expect(await button()).toBeEnabled())
  },
)

// spec: 8.orders.5
test('an online order without any answer says so aloud', async () => {
  const { user } = await openCart(aUser(), { [ONLINE]: 'no network' })
  await payOnline(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Error placing order. Please try again.')
  expect(screen.getByTestId('order-problem')).toHaveTextContent('your order will be placed only once')
})

// spec: 8.orders.4
test.each([
  ['too_many_open_orders', 409, 'At most 3. You can also call us on 01-4567890.'],
  ['cash_limit', 409, 'At most 3. You can also call us on 01-4567890.'],
  ['order_too_large', 422, 'At most 3. You can also call us on 01-4567890.'],
  ['address_not_found', 404, 'This address no longer exists.'],
  ['whatever', 429, 'Too many orders in a short time.'],
  ['something_new', 409, 'Your order was not placed.'],
])('a refusal (%s) is explained beside the button', async (code, status, text) => {
  const { user } = await openCart(aUser(), {
    [COD]: refused(status, code, 'At most 3. You can also call us on 01-4567890.'),
  })
  await press(user)
  expect(await screen.findByTestId('order-problem')).toHaveTextContent(text)
  expect(screen.getByTestId('toast')).toHaveTextContent('Failed to place order. Please try again.')
})

test('a fee that changes while the cart is open is shown, though the server had spoken of this cart before', async () => {
  const rules = (rates: object) =>
    ok({ rates: { ...settings.rates, ...rates }, lowStock: 10, cartLines: 100 })
  let now = rules({})
  const before = settings.rates
  await openCart(aUser(), { 'GET /api/shop/get_rules': () => now })
  await screen.findAllByTestId('cart-line')
  const quote = { subtotal: 700, tax: 91, shippingFee: 20, total: 811 }
  act(() => serverCart.set({ items: { 'p-oil': 2, 'p-tea': 1 }, quote, at: Date.now() }))
  expect(figure('shipping')).toBe('Rs. 20.00')
  // A pending request would be shared with the next one.
  await waitFor(() => expect(queryClient.getQueryData(['rules'])).toBeDefined())
  now = rules({ shippingFee: 50, freeShippingAbove: 2000, taxRate: 12.5 })
  await act(() => queryClient.refetchQueries({ queryKey: ['rules'] }))
  await waitFor(() => expect(figure('shipping')).toBe('Rs. 50.00'))
  expect([figure('tax'), figure('total')]).toEqual(['Rs. 87.50', 'Rs. 837.50'])
  expect(screen.getByText('Tax (12.5%)')).toBeInTheDocument()
  expect(screen.getByText('Rs. 1300.00 more for free shipping')).toBeInTheDocument()
  now = rules({ vatRegistered: false })
  await act(() => queryClient.refetchQueries({ queryKey: ['rules'] }))
  await waitFor(() => expect(screen.queryByText(/Tax/)).toBeNull())
  settings.rates = before
})

// spec: 7.answers.1, 8.orders.5
test.each([
  ['a broken server', serverFailed],
  ['no connection', 'no network' as const],
])('%s keeps everything for another try', async (_what, failure) => {
  const { user } = await openCart(aUser(), { [COD]: failure })
  await press(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Error placing order. Please try again.')
  await waitFor(async () => expect(await button()).toBeEnabled())
  expect(cartStore.read()).toEqual({ 'p-oil': 2, 'p-tea': 1 })
})

test('the server’s figures are shown where it has spoken of this very cart', async () => {
  await openCart()
  await screen.findAllByTestId('cart-line')
  const quote = { subtotal: 701, tax: 91, shippingFee: 20, total: 812 }
  act(() => serverCart.set({ items: { 'p-oil': 2, 'p-tea': 1 }, quote, at: Date.now() + 1000 }))
  expect(figure('total')).toBe('Rs. 812.00')
  act(() => cartStore.removeOne('p-oil'))
  expect(figure('subtotal')).toBe('Rs. 380.00')
})

test('what happened to the cart elsewhere is told until it is read', async () => {
  cartNotices.set([{ kind: 'dropped', products: [{ _id: 'x', name: 'Old Ghee', nameNe: null }] }])
  const { user } = await openCart()
  const notice = within(await screen.findByTestId('cart-notice'))
  expect(notice.getByText(/Old Ghee/)).toBeInTheDocument()
  await user.click(notice.getByRole('button', { name: 'Close' }))
  expect(screen.queryByTestId('cart-notice')).toBeNull()
})
