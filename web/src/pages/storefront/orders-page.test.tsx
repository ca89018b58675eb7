import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { AuthDialog } from '@/features/accounts/auth-dialog'
import { cartStore } from '@/features/cart/cart-store'
import { activateLang } from '@/lib/i18n'
import { OrdersPage } from '@/pages/storefront/orders-page'
import { anOrder, aProduct, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { FakeStream, mockServer, ok, refused, serverFailed } from '@/test/server'
import { Announcer } from '@/ui/announcer'

const LIST = 'GET /api/order/get_order'
type Table = Parameters<typeof mockServer>[0]

const page = (data: object[], nextCursor: string | null = null) => ({
  body: { success: true, message: '', data, nextCursor },
})

afterEach(() => activateLang('en'))
beforeEach(() => {
  FakeStream.opened = []
  vi.stubGlobal('EventSource', FakeStream)
  cartStore.replaceFromServer({})
})

async function openOrders(table: Table, { at = '/orders', signedIn = true } = {}) {
  const requests = mockServer({
    'GET /api/user/isAuth': signedIn ? ok(aUser()) : refused(401, 'signed_out', ''),
    ...table,
  })
  const shop = await renderInShop(
    <>
      <OrdersPage />
      <AuthDialog />
      <Announcer />
    </>,
    { at: at as never },
  )
  return { ...shop, requests, user: userEvent.setup() }
}

const card = async () => within((await screen.findAllByTestId('order-card'))[0] as HTMLElement)

test('a visitor is asked to log in, and no orders are asked for', async () => {
  const { requests } = await openOrders({}, { signedIn: false })
  expect(await screen.findByText('Log in to see your orders')).toBeInTheDocument()
  expect(requests.map(({ path }) => path)).toEqual(['/api/user/isAuth'])
  expect(screen.queryByTestId('toast')).toBeNull()
})

// spec: 2.orders.4, 2.orders.5, 8.orders.1
test('whoever never ordered is told, twice, and shown the way', async () => {
  await openOrders({ [LIST]: page([]) })
  expect(await screen.findByRole('heading', { name: 'No orders found' })).toBeInTheDocument()
  expect(screen.getByTestId('toast')).toHaveTextContent('No orders found.')
  expect(screen.getByRole('link', { name: 'Start Shopping' })).toHaveAttribute('href', '/categories')
})

// spec: 7.answers.1, 8.orders.2, 8.orders.3
test.each([
  ['refused', refused(400, 'x', ''), 'Failed to fetch orders.'],
  ['refused without a reason', { body: { success: false } }, 'Failed to fetch orders.'],
  ['broken', serverFailed, 'An error occurred while fetching orders. Please try again.'],
])('a list that is %s says so and can be tried again', async (_what, failure, text) => {
  let works = false
  const { user } = await openOrders({ [LIST]: () => (works ? page([anOrder()]) : failure) })
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  works = true
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByTestId('order-card')).toBeInTheDocument()
})

// spec: 2.orders.1, 9.const.7
test("'My Orders' lists the orders; a folded card says which, when, how far and how much", async () => {
  await openOrders({ [LIST]: page([anOrder(), anOrder({ _id: 'o-0', orderId: 'OLDER1', total: 500 })]) })
  expect(screen.getByRole('heading', { level: 1, name: 'My Orders' })).toBeInTheDocument()
  const [, older] = await screen.findAllByTestId('order-card')
  expect(older).toHaveTextContent('#OLDER1')
  expect(older).toHaveTextContent('Rs. 500.00')
  const head = (await card()).getByRole('button', { expanded: false })
  expect(head).toHaveTextContent('#TH7K2M')
  expect(head).toHaveTextContent('14 Nov 2026')
  expect(head).toHaveTextContent('Order Placed')
  expect(head).toHaveTextContent('Rs. 812.20')
})

// spec: 2.orders.3, 9.const.7
test('an opened card says everything, and folds again', async () => {
  const { user } = await openOrders({ [LIST]: page([anOrder()]) })
  await user.click((await card()).getByRole('button', { expanded: false }))
  const opened = await card()
  const [oil] = await opened.findAllByTestId('order-item')
  expect(oil).toHaveTextContent('Mustard Oil')
  expect(oil).toHaveTextContent('2 × Rs. 320.00')
  expect(oil).toHaveTextContent('Rs. 640.00')
  expect(opened.getByText('TRK-9Q4X')).toBeInTheDocument()
  expect(opened.getByText('17 Nov 2026')).toBeInTheDocument()
  expect(opened.getByText('Cash on Delivery (COD)')).toBeInTheDocument()
  expect(opened.getByText(/Baneshwor-10, Kathmandu/)).toBeInTheDocument()
  expect(within(opened.getByTestId('timeline')).getByText('14 Nov 2026, 14:05')).toBeInTheDocument()
  await user.click(opened.getByRole('button', { expanded: true }))
  expect(screen.queryByText('TRK-9Q4X')).toBeNull()
})

test('in Nepali: the words, the digits of the money, the names, and the same order id', async () => {
  await activateLang('ne')
  const { user } = await openOrders({ [LIST]: page([anOrder({ total: 585 })]) })
  expect(screen.getByRole('heading', { level: 1, name: 'मेरा अर्डर' })).toBeInTheDocument()
  const head = (await card()).getByRole('button', { expanded: false })
  expect(head).toHaveTextContent('#TH7K2M')
  expect(head).toHaveTextContent('अर्डर भयो')
  expect(head).toHaveTextContent('रु. ५८५.००')
  await user.click(head)
  expect((await (await card()).findAllByTestId('order-item'))[0]).toHaveTextContent('तोरीको तेल')
})

// spec: 4.status.1, 4.status.2
test('every card has the icon of its status, and one that nobody knows the neutral one', async () => {
  const statuses = ['delivered', 'In-Transit', 'Order Confirmed', 'foo']
  await openOrders({
    [LIST]: page(statuses.map((status, n) => anOrder({ _id: `o-${n}`, orderId: `X${n}`, status }))),
  })
  const drawn = (await screen.findAllByTestId('order-status')).map((badge) => badge.dataset.variant)
  expect(drawn).toEqual(['delivered', 'in-transit', 'confirmed', 'other'])
})

test('the tracking number can be copied', async () => {
  const { user } = await openOrders({ [LIST]: page([anOrder()]) })
  await user.click((await card()).getByRole('button', { expanded: false }))
  await user.click(await screen.findByRole('button', { name: 'Copy tracking number' }))
  expect(await navigator.clipboard.readText()).toBe('TRK-9Q4X')
  expect(screen.getByTestId('toast')).toHaveTextContent('Tracking number copied')
})

test('a link to an order opens it', async () => {
  await openOrders(
    { [LIST]: page([anOrder({ _id: 'o-2', orderId: 'NEWER1' }), anOrder()]) },
    { at: '/orders#TH7K2M' },
  )
  const cards = await screen.findAllByTestId('order-card')
  await waitFor(() =>
    expect(
      cards.map((each) => within(each).getAllByRole('button')[0]?.getAttribute('aria-expanded')),
    ).toEqual(['false', 'true']),
  )
})

// spec: 2.orders.2
test('a search is the server’s; without a match one can clear it', async () => {
  const searches: (string | null)[] = []
  const { user } = await openOrders({ [LIST]: page([anOrder()]) })
  await card()
  vi.stubGlobal('fetch', async (request: Request) => {
    const search = new URL(request.url).searchParams.get('search')
    searches.push(search)
    return Response.json(page(search ? [] : [anOrder()]).body)
  })
  await user.type(await screen.findByLabelText('Search your orders'), 'ghee')
  expect(await screen.findByText('No orders match "ghee"')).toBeInTheDocument()
  expect(searches.at(-1)).toBe('ghee')
  await user.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(await screen.findByTestId('order-card')).toBeInTheDocument()
})

test('older orders come page by page', async () => {
  let requests = 0
  const { user } = await openOrders({
    [LIST]: () =>
      requests++ === 0 ? page([anOrder()], 'next') : page([anOrder({ _id: 'o-0', orderId: 'OLDER1' })]),
  })
  await user.click(await screen.findByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(screen.getAllByTestId('order-card')).toHaveLength(2))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('a change elsewhere is drawn and said politely', async () => {
  let status = 'Order Placed'
  await openOrders({ [LIST]: () => page([anOrder({ status })]) })
  await card()
  await waitFor(() => expect(FakeStream.opened).toHaveLength(1))
  expect(FakeStream.last().address).toBe('/api/order/live')
  status = 'Out for Delivery'
  act(() => FakeStream.last().say({ _id: 'o-1', orderId: 'TH7K2M', status }))
  expect(await screen.findByText('Order TH7K2M: Out for Delivery')).toBeInTheDocument()
  expect((await card()).getByTestId('order-status')).toHaveAttribute('data-variant', 'in-transit')
})

test('cancelling asks first, and is over when the server says so', async () => {
  const { user, requests } = await openOrders({
    [LIST]: page([anOrder()]),
    'POST /api/order/cancel_order': ok(anOrder({ status: 'Cancelled', canCancel: false })),
  })
  queryClient.setQueryData(['catalogue', 'by-ids', ['p-oil']], [])
  await user.click((await card()).getByRole('button', { expanded: false }))
  await user.click(await screen.findByRole('button', { name: 'Cancel order' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('We will not deliver order TH7K2M.')).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Cancel order' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Order cancelled.')
  expect((await card()).getByTestId('order-status')).toHaveTextContent('Cancelled')
  expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull()
  expect(requests.find(({ path }) => path.endsWith('cancel_order'))?.body).toEqual({ orderId: 'o-1' })
  // The items are in stock again, so a cart must fetch the stock again.
  expect(queryClient.getQueryState(['catalogue', 'by-ids', ['p-oil']])?.isInvalidated).toBe(true)
})

test('too late is too late', async () => {
  const { user } = await openOrders({
    [LIST]: page([anOrder()]),
    'POST /api/order/cancel_order': refused(409, 'too_late_to_cancel', 'x'),
  })
  await user.click((await card()).getByRole('button', { expanded: false }))
  await user.click(await screen.findByRole('button', { name: 'Cancel order' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel order' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('This order can no longer be cancelled.')
})

test('what was sent on its way cannot be cancelled', async () => {
  const { user } = await openOrders({ [LIST]: page([anOrder({ canCancel: false })]) })
  await user.click((await card()).getByRole('button', { expanded: false }))
  await screen.findByRole('button', { name: 'Buy again' })
  expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull()
})

test.each([
  [
    'all of it',
    [aProduct(), aProduct({ id: 'p-tea' })],
    { 'p-oil': 2, 'p-tea': 1 },
    'Everything from this order',
    '/cart',
  ],
  [
    'what is still sold, naming the rest',
    [aProduct()],
    { 'p-oil': 2 },
    'Added to cart. Not available: Ilam Tea',
    '/cart',
  ],
  [
    'nothing, when nothing is left',
    [aProduct({ stock: 0 })],
    {},
    'Nothing from this order is available',
    '/orders',
  ],
])(
  'buying again takes %s, and opens the cart if that is something',
  async (_what, products, cart, text, path) => {
    const { user, router } = await openOrders({
      [LIST]: page([anOrder()]),
      'GET /api/product/get_products_by_ids': ok(products),
    })
    await user.click((await card()).getByRole('button', { expanded: false }))
    await user.click(await screen.findByRole('button', { name: 'Buy again' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(cartStore.read()).toEqual(cart)
    await waitFor(() => expect(router.state.location.pathname).toBe(path))
  },
)

test('an address with nonsense behind its # still shows the orders', async () => {
  await openOrders({ [LIST]: page([anOrder()]) }, { at: '/orders#%' })
  expect(await screen.findByText(/No orders match|#TH7K2M/)).toBeInTheDocument()
})

test('a session that ended elsewhere leads to the login, silently', async () => {
  await openOrders({ [LIST]: refused(401, 'signed_out', '') })
  expect(await screen.findByText('Log in to see your orders')).toBeInTheDocument()
  expect(screen.queryByTestId('toast')).toBeNull()
})

const unpaid = (changes: object = {}) =>
  anOrder({
    status: 'Payment Pending',
    paymentMethod: 'Khalti',
    paymentState: 'awaiting',
    canPay: true,
    ...changes,
  })

test.each([
  ['awaiting', 'Waiting for your payment'],
  ['failed', 'The payment did not go through. Nothing was charged.'],
  ['conflict', 'We are checking the payment.'],
  ['refund_due', 'Your refund is on its way to Khalti (up to 7 days).'],
  ['refunded', 'Refunded to Khalti.'],
])('a folded card says how far the payment is (%s)', async (paymentState, text) => {
  await openOrders({ [LIST]: page([unpaid({ paymentState, canPay: false })]) })
  expect(await screen.findByTestId('order-payment')).toHaveTextContent(text)
  expect(screen.queryByRole('button', { name: /Pay now/ })).toBeNull()
})

test.each([
  ['paid', 'Khalti'],
  ['cod_due', 'COD'],
])('there is nothing to say when it is %s', async (paymentState, paymentMethod) => {
  await openOrders({ [LIST]: page([anOrder({ paymentState, paymentMethod })]) })
  await card()
  expect(screen.queryByTestId('order-payment')).toBeNull()
})

test('a paid order says so when it is opened', async () => {
  const { user } = await openOrders({
    [LIST]: page([anOrder({ paymentState: 'paid', paymentMethod: 'Khalti' })]),
  })
  await user.click((await card()).getByRole('button', { expanded: false }))
  expect(await screen.findByText('Paid with Khalti')).toBeInTheDocument()
})

test('Pay now leads to the wallet, and works again when one is back', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  const { user, requests } = await openOrders({
    [LIST]: page([unpaid()]),
    'POST /api/order/pay_order': ok({ payment_url: 'https://pay.example/1' }),
  })
  const pay = await screen.findByRole('button', { name: 'Pay now for order TH7K2M' })
  await user.click(pay)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Redirecting to Khalti for payment...')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'))
  expect(pay).toBeDisabled()
  expect(requests.find(({ path }) => path.endsWith('pay_order'))?.body).toEqual({ orderId: 'o-1' })
  const lists = () => requests.filter(({ path }) => path.endsWith('get_order')).length
  const before = lists()
  act(() => {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  })
  await waitFor(() => expect(pay).toBeEnabled())
  await waitFor(() => expect(lists()).toBeGreaterThan(before))
})

test.each([
  [refused(409, 'not_payable', 'x'), 'This order can no longer be paid.'],
  [refused(404, 'not_found', 'x'), 'This order can no longer be paid.'],
  [refused(409, 'out_of_stock', 'Mustard Oil: only 1 left'), 'Mustard Oil: only 1 left'],
  [refused(503, 'online_payment_unavailable', 'x'), 'Online payment is not available right now.'],
  [serverFailed, 'We could not reach the shop.'],
  ['no network' as const, 'We could not reach the shop.'],
])('a refused Pay now is explained on the card', async (answer, text) => {
  const { user } = await openOrders({ [LIST]: page([unpaid()]), 'POST /api/order/pay_order': answer })
  await user.click(await screen.findByRole('button', { name: /Pay now/ }))
  expect(await (await card()).findByTestId('pay-problem')).toHaveTextContent(text)
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('cancelling a paid order tells that the money comes back', async () => {
  const { user } = await openOrders({
    [LIST]: page([anOrder({ paymentState: 'paid', paymentMethod: 'Khalti' })]),
    'POST /api/order/cancel_order': ok(
      anOrder({ status: 'Cancelled', paymentState: 'refund_due', paymentMethod: 'Khalti', canCancel: false }),
    ),
  })
  await user.click((await card()).getByRole('button', { expanded: false }))
  await user.click(await screen.findByRole('button', { name: 'Cancel order' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/We'll refund your payment to your Khalti wallet\./)).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Cancel order' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Your refund is on its way.')
  expect(await screen.findByTestId('order-payment')).toHaveTextContent('Your refund is on its way to Khalti')
})
