import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { SellerOrdersPage } from '@/pages/seller/orders-page'
import { anOrder, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { FakeStream, mockServer, refused, serverFailed } from '@/test/server'
import { holdTime, pass } from '@/test/time'
import { setWidth } from '@/test/width'

const LIST = 'GET /api/order/get_orders'
const SET = 'PUT /api/order/update_order_status'
type Table = Parameters<typeof mockServer>[0]

const page = (data: object[], nextCursor: string | null = null) => ({
  body: { success: true, message: '', data, nextCursor },
})
const changed = (order: object, warning = '') => ({
  body: { success: true, message: 'Order status updated successfully!', data: order, warning },
})

beforeEach(() => {
  setWidth(360)
  FakeStream.opened = []
  vi.stubGlobal('EventSource', FakeStream)
})

async function openSeller(table: Table, at = '/seller/orders') {
  const requests = mockServer({ [LIST]: page([anOrder()]), ...table })
  await renderInShop(<SellerOrdersPage />, { at: at as never })
  return {
    requests,
    user: userEvent.setup(),
    sent: () => requests.filter(({ method }) => method === 'PUT').map(({ body }) => body),
  }
}

async function openCard(table: Table = {}) {
  const dashboard = await openSeller(table)
  await dashboard.user.click(await screen.findByRole('button', { expanded: false }))
  await screen.findByRole('combobox', { name: 'Order status for #TH7K2M' })
  return dashboard
}

const selector = () => screen.getByRole('combobox', { name: 'Order status for #TH7K2M' })

// spec: 2.sorders.2, 2.sorders.4, 2.sorders.5, 4.status.3, 9.const.8, 9.const.9
test('an opened order says what to pack, for whom, and what it cost behind a dollar sign', async () => {
  await openCard()
  const card = within(screen.getByTestId('order-card'))
  expect(card.getByText('2 × $320.00')).toBeInTheDocument()
  expect(card.getAllByText('$812.20').length).toBeGreaterThan(0)
  expect(card.getByText('TRK-9Q4X')).toBeInTheDocument()
  expect(card.getByText('sita@example.com')).toBeInTheDocument()
  expect(card.getByText(/Baneshwor-10, Kathmandu/)).toBeInTheDocument()
  expect(selector()).toHaveDisplayValue('Order Placed')
  expect(
    within(selector())
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Order Placed',
    'Order Confirmed',
    'Order Shipped',
    'Out for Delivery',
    'Delivered',
    'Cancelled',
  ])
  expect(card.getByTestId('timeline')).toHaveTextContent('14 Nov 2026, 14:05')
})

// spec: 8.success.10
test('a chosen status is sent after a pause, once, and can be taken back', async () => {
  const { user, sent } = await openCard({
    [SET]: ({ body }) => changed(anOrder({ status: (body as { status: string }).status })),
  })
  holdTime()
  await user.selectOptions(selector(), 'Order Confirmed')
  await user.selectOptions(selector(), 'Order Shipped')
  expect(sent()).toEqual([])
  await pass(400)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Order status updated successfully!')
  expect(sent()).toEqual([{ orderId: 'o-1', status: 'Order Shipped' }])
  expect(screen.getByTestId('order-status')).toHaveTextContent('Order Shipped')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sent().at(-1)).toEqual({ orderId: 'o-1', status: 'Order Placed' }))
})

test('a card that is closed too soon does not lose what was chosen', async () => {
  const { user, sent } = await openCard({ [SET]: changed(anOrder({ status: 'Delivered' })) })
  holdTime()
  await user.selectOptions(selector(), 'Delivered')
  expect(sent()).toEqual([])
  await user.click(screen.getByRole('button', { expanded: true }))
  expect(sent()).toEqual([{ orderId: 'o-1', status: 'Delivered' }])
  await pass(500)
  expect(sent()).toHaveLength(1)
})

test('the keyboard is given back its place after a change', async () => {
  const { user } = await openCard({ [SET]: changed(anOrder({ status: 'Delivered' })) })
  selector().focus()
  await user.selectOptions(selector(), 'Delivered')
  await screen.findByTestId('toast')
  await waitFor(() => expect(selector()).toHaveFocus())
})

test('a dashboard whose session has ended shows the login form, and leaves the shopper alone', async () => {
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
  await openSeller({ [LIST]: refused(401, 'signed_out', '') })
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
  expect(queryClient.getQueryData(sessions.user.queryKey)).toEqual(aUser())
})

test('a value that was only passed over is not sent', async () => {
  const { user, sent } = await openCard()
  holdTime()
  await user.selectOptions(selector(), 'Cancelled')
  await user.selectOptions(selector(), 'Order Placed')
  await pass(500)
  expect(sent()).toEqual([])
})

// spec: 8.seller.13, 8.seller.15
test.each([
  [refused(422, 'status_invalid', 'x'), 'Failed to update order status.'],
  ['no network' as const, 'An error occurred while updating the order status. Please try again.'],
  [serverFailed, 'An error occurred while updating the order status. Please try again.'],
])('a failed change is told and the old value comes back', async (failure, text) => {
  const { user } = await openCard({ [SET]: failure })
  await user.selectOptions(selector(), 'Delivered')
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  await waitFor(() => expect(selector()).toHaveDisplayValue('Order Placed'))
})

test('what needs a person is marked and explained, and the server’s warning shown', async () => {
  const order = anOrder({ status: 'Cancelled', attention: ['cancelled_after_dispatch', 'brand_new'] })
  const { user } = await openCard({ [SET]: changed(order, 'The goods are already on their way.') })
  expect(screen.queryByTestId('attention')).toBeNull()
  await user.selectOptions(selector(), 'Cancelled')
  expect(await screen.findByTestId('attention')).toHaveTextContent('Needs attention')
  expect(screen.getByText('Cancelled after shipping: the items must come back.')).toBeInTheDocument()
  expect(screen.getByText('brand_new')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'What to do' })).toHaveAttribute('href', '/seller/attention')
  expect(screen.getByText('The goods are already on their way.')).toBeInTheDocument()
})

const day = () => screen.getByLabelText('Delivery date for #TH7K2M')

test('the delivery day can be changed without a word about the status, and taken back', async () => {
  const { user, sent } = await openCard({
    [SET]: ({ body }) => changed(anOrder({ deliveryDate: (body as { deliveryDate: string }).deliveryDate })),
  })
  await user.clear(day())
  await user.type(day(), '2026-11-20')
  await waitFor(() => expect(sent()).toEqual([{ orderId: 'o-1', deliveryDate: '2026-11-20' }]))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sent().at(-1)).toEqual({ orderId: 'o-1', deliveryDate: '2026-11-17' }))
  await waitFor(() => expect(day()).toHaveValue('2026-11-17'))
})

test.each(['', '0202-11-20'])('a date that is none (%j) does not hold up a status', async (date) => {
  const { user, sent } = await openCard({ [SET]: changed(anOrder({ status: 'Delivered' })) })
  fireEvent.change(day(), { target: { value: date } })
  await user.selectOptions(selector(), 'Delivered')
  await waitFor(() => expect(sent()).toEqual([{ orderId: 'o-1', status: 'Delivered' }]))
  await waitFor(() => expect(day()).toHaveValue('2026-11-17'))
})

test('nothing there yet is said', async () => {
  await openSeller({ [LIST]: page([]) })
  expect(await screen.findByText('No orders yet')).toBeInTheDocument()
})

// spec: 8.seller.12, 8.seller.14
test.each([
  [refused(400, 'x', ''), 'Failed to fetch orders.'],
  [serverFailed, 'An error occurred while fetching orders. Please try again.'],
])('a list that fails says so and can be tried again', async (failure, text) => {
  let works = false
  const { user } = await openSeller({ [LIST]: () => (works ? page([anOrder()]) : failure) })
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  works = true
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByTestId('order-card')).toBeInTheDocument()
})

test('filtering by a status chip, finding nothing, and clearing', async () => {
  const { user } = await openSeller({})
  const chosen: (string | null)[] = []
  await screen.findByTestId('order-card')
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (!pathname.endsWith('get_orders')) return Response.json(serverFailed.body, { status: 500 })
    const status = searchParams.get('status')
    chosen.push(status)
    return Response.json(page(status ? [] : [anOrder()]).body)
  })
  await user.click(screen.getByRole('button', { name: 'Delivered' }))
  expect(await screen.findByText('No orders match "Delivered"')).toBeInTheDocument()
  expect(chosen).toEqual(['Delivered'])
  await user.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(await screen.findByTestId('order-card')).toBeInTheDocument()
})

test('a new order is announced softly, and shown when asked', async () => {
  let orders = [anOrder()]
  const { user } = await openSeller({ [LIST]: () => page(orders) })
  await screen.findByTestId('order-card')
  await waitFor(() => expect(FakeStream.last().address).toBe('/api/order/live_all'))
  orders = [anOrder({ _id: 'o-2', orderId: 'NEWER1' }), ...orders]
  act(() => FakeStream.last().say({ _id: 'o-2', orderId: 'NEWER1', status: 'Order Placed', placed: true }))
  expect(await screen.findByTestId('new-order')).toHaveTextContent('New order NEWER1')
  await waitFor(() => expect(screen.getAllByTestId('order-card')).toHaveLength(2))
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByRole('combobox', { name: 'Order status for #NEWER1' })).toBeInTheDocument()
  expect(screen.queryByTestId('new-order')).toBeNull()
  await waitFor(() => expect(screen.getByRole('button', { expanded: true })).toHaveFocus())
})

test('a link to an order opens it', async () => {
  await openSeller({}, '/seller/orders#TH7K2M')
  expect(await screen.findByRole('combobox', { name: 'Order status for #TH7K2M' })).toBeInTheDocument()
})

test('a linked order that is not paid yet is looked for among the hidden ones', async () => {
  const requests: string[] = []
  const unpaid = anOrder({ orderId: 'UNPAID', paymentMethod: 'Khalti', paymentState: 'awaiting' })
  mockServer({})
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (!pathname.endsWith('get_orders')) return Response.json(serverFailed.body, { status: 500 })
    requests.push(`${searchParams.get('search') ?? ''} ${searchParams.get('unpaid') ?? ''}`)
    return Response.json(page(searchParams.get('unpaid') ? [unpaid] : []).body)
  })
  await renderInShop(<SellerOrdersPage />, { at: '/seller/orders#UNPAID' as never })
  expect(await screen.findByRole('combobox', { name: 'Order status for #UNPAID' })).toBeInTheDocument()
  await waitFor(() => expect(requests.at(-1)).toBe('UNPAID true'))
  expect(screen.getByRole('checkbox', { name: 'Show unpaid online orders' })).toBeChecked()
  expect(screen.getByText('Khalti: waiting for payment')).toBeInTheDocument()
})
