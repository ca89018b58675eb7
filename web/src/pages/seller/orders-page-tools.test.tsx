import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Order } from '@/features/orders/api'
import { keyboardShortcuts } from '@/features/orders/seller/keyboard-shortcuts'
import { setStatuses } from '@/features/orders/seller/orders-api'
import { stepUp } from '@/features/staff/session-guard'
import { activateLang } from '@/lib/i18n'
import { SellerOrdersPage } from '@/pages/seller/orders-page'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { FakeStream, mockServer, ok, refused, serverFailed } from '@/test/server'
import { holdTime, pass } from '@/test/time'
import { setWidth } from '@/test/width'

const LIST = 'GET /api/order/get_orders'
const COUNT = 'GET /api/order/get_order_counts'
const SET = 'PUT /api/order/update_order_status'
const SET_MANY = 'PUT /api/order/update_order_statuses'
type Table = Parameters<typeof mockServer>[0]

const page = (data: object[]) => ({ body: { success: true, message: '', data, nextCursor: null } })
const three = ['FIRST1', 'SECOND', 'THIRD3'].map((orderId, n) => anOrder({ _id: `o-${n + 1}`, orderId }))
const counted = (placed: number) =>
  ok({
    all: { count: 10_000, capped: true },
    counts: [
      ['Order Placed', placed],
      ['Order Confirmed', 0],
      ['Order Shipped', 0],
      ['Out for Delivery', 0],
      ['Delivered', 12_500],
      ['Cancelled', 1],
    ].map(([status, count]) => ({ status, count, capped: false })),
  })
const result = (_id: string, message = '', warning = '') => ({
  _id,
  ok: message === '',
  code: '',
  message,
  warning,
})

beforeEach(() => {
  setWidth(360)
  FakeStream.opened = []
  vi.stubGlobal('EventSource', FakeStream)
})
afterEach(async () => {
  keyboardShortcuts.set(true)
  await activateLang('en')
})

async function openSeller(table: Table = {}, at = '/seller/orders') {
  const requests = mockServer({ [LIST]: page(three), [COUNT]: counted(3), ...table })
  const shop = await renderInShop(<SellerOrdersPage />, { at: at as never })
  await screen.findAllByTestId('order-card')
  const times = (path: string) => requests.filter((each) => each.path.endsWith(path)).length
  const bodies = (path: string) => requests.filter((each) => each.path.endsWith(path)).map(({ body }) => body)
  return { ...shop, requests, times, bodies, user: userEvent.setup() }
}

const head = (id: string) => screen.getByRole('button', { name: new RegExp(`#${id}`) })
const chip = (name: string, count: string) => (text: string) =>
  text.replace(/\s+/g, ' ') === `${name} ${count}`
const tick = (id: string) => screen.getByRole('checkbox', { name: `Select order #${id}` })
const bulk = () => within(screen.getByTestId('bulk'))

test('an order that waits for its buyer says until when, on its card and in it', async () => {
  const waiting = anOrder({ _id: 'o-1', orderId: 'FIRST1', confirmBy: '2026-11-16T08:45:00Z' })
  const other = anOrder({ _id: 'o-2', orderId: 'SECOND' })
  const { user } = await openSeller({ [LIST]: page([waiting, other]) })
  expect(screen.getAllByTestId('waits')).toHaveLength(1)
  expect(head('FIRST1')).toHaveTextContent('Awaiting confirmation until 14:30')
  await user.click(head('FIRST1'))
  expect(await screen.findByText(/The order will be cancelled at 14:30 unless/)).toBeInTheDocument()
  await act(() => activateLang('ne'))
  expect(head('FIRST1')).toHaveTextContent('१४:३० सम्म पुष्टिको पर्खाइमा')
  await act(() => activateLang('en'))
})

test('a cancelled order gets no packing slip, neither alone nor among others', async () => {
  const [one, two, three] = ['FIRST1', 'SECOND', 'THIRD3'].map((orderId, n) =>
    anOrder({ _id: `o-${n + 1}`, orderId, status: n === 1 ? 'Cancelled' : 'Order Placed' }),
  )
  const { user } = await openSeller({ [LIST]: page([one, two, three] as Order[]) })
  const print = vi.fn()
  vi.stubGlobal('print', print)

  await user.click(tick('SECOND'))
  expect(bulk().getByRole('button', { name: /packing slip/ })).toBeDisabled()
  expect(bulk().getByText('1 cancelled order was left out.')).toBeInTheDocument()
  await user.click(head('SECOND'))
  await screen.findByRole('combobox', { name: 'Order status for #SECOND' })
  expect(screen.queryByRole('button', { name: 'Print packing slip' })).toBeNull()

  await user.click(tick('FIRST1'))
  await user.click(tick('THIRD3'))
  await user.click(bulk().getByRole('button', { name: 'Print 2 packing slips' }))
  const slips = await screen.findAllByTestId('slip')
  expect(slips.map((slip) => slip.querySelector('h2')?.textContent)).toEqual([
    'Packing slip #FIRST1',
    'Packing slip #THIRD3',
  ])
  await waitFor(() => expect(print).toHaveBeenCalled())
})

test('an opened order and its packing slip say the pack size of each line', async () => {
  vi.stubGlobal('print', vi.fn())
  const [oil, tea] = anOrder({}).items
  const items = [{ ...oil, packLabel: '1 L bottle', packLabelNe: '१ लि. बोतल' }, tea]
  const { user } = await openSeller({
    [LIST]: page([anOrder({ orderId: 'FIRST1', items: items as Order['items'] })]),
  })

  await user.click(head('FIRST1'))
  const [first, second] = await screen.findAllByTestId('order-item')
  expect(first).toHaveTextContent('1 L bottle · 2 ×')
  expect(second).not.toHaveTextContent('·')
  await user.click(screen.getByRole('button', { name: 'Print packing slip' }))
  const slip = await screen.findByTestId('slip')
  expect(slip.querySelector('tbody tr')).toHaveTextContent('Mustard Oil1 L bottle2')

  await act(() => activateLang('ne'))
  expect(screen.getAllByTestId('order-item')[0]).toHaveTextContent('१ लि. बोतल · २ ×')
})

test('the search says that it finds names, phones and products too', async () => {
  await openSeller()
  const search = screen.getByRole('searchbox', { name: 'Search by order id or status' })
  expect(search).toHaveAttribute('placeholder', 'Id, status, name, phone, product')
})

test('each chip says how many there are, many as many, and stands in the address', async () => {
  const { user, address } = await openSeller()
  expect(await screen.findByRole('button', { name: chip('All', '10,000+') })).toHaveAttribute(
    'aria-current',
    'true',
  )
  expect(screen.getByRole('button', { name: chip('Delivered', '12,500') })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: chip('Order Placed', '3') }))
  await waitFor(() => expect(address()).toBe('/seller/orders?status=Order+Placed'))
  expect(screen.getByRole('button', { name: chip('Order Placed', '3') })).toHaveAttribute(
    'aria-current',
    'true',
  )
})

test('an address with a status opens at its chip; nonsense is no status', async () => {
  await openSeller({}, '/seller/orders?status=Cancelled')
  expect(await screen.findByRole('button', { name: chip('Cancelled', '1') })).toHaveAttribute(
    'aria-current',
    'true',
  )
})

test('without figures the chips are merely chips', async () => {
  await openSeller({ [COUNT]: serverFailed })
  expect(screen.getByRole('button', { name: 'Delivered' })).toBeInTheDocument()
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('the figures follow a change and live news', async () => {
  let placed = 3
  const { user, times } = await openSeller({
    [COUNT]: () => counted(placed),
    [SET]: {
      body: { success: true, message: '', data: anOrder({ ...three[0], status: 'Delivered' }), warning: '' },
    },
  })
  await waitFor(() => expect(times('get_order_counts')).toBe(1))
  placed = 2
  await user.click(head('FIRST1'))
  await user.selectOptions(
    await screen.findByRole('combobox', { name: 'Order status for #FIRST1' }),
    'Delivered',
  )
  expect(await screen.findByRole('button', { name: chip('Order Placed', '2') })).toBeInTheDocument()
  placed = 5
  act(() => FakeStream.last().say({ _id: 'o-9', orderId: 'NEWER1', status: 'Order Placed', placed: true }))
  expect(
    await screen.findByRole('button', { name: chip('Order Placed', '5') }, { timeout: 4000 }),
  ).toBeInTheDocument()
})

test('all shown can be ticked at once, and unticked', async () => {
  const { user } = await openSeller()
  await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }))
  expect(bulk().getByText('Set status of 3 orders to')).toBeInTheDocument()
  await user.click(tick('SECOND'))
  expect(bulk().getByText('Set status of 2 orders to')).toBeInTheDocument()
  expect(screen.getByRole('checkbox', { name: 'Select all shown' })).not.toBeChecked()
  await user.click(bulk().getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByTestId('bulk')).toBeNull()
})

async function setMany(user: ReturnType<typeof userEvent.setup>, status: string) {
  await user.selectOptions(bulk().getByRole('combobox'), status)
  await user.click(bulk().getByRole('button', { name: 'Set status' }))
}

test('many at once: what worked, what did not and stays ticked, and what to look at', async () => {
  const { user, bodies } = await openSeller({
    [SET_MANY]: ok({
      results: [result('o-1'), result('o-2', 'The order is gone.'), result('o-3', '', 'It is not paid.')],
    }),
  })
  await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }))
  expect(bulk().getByRole('button', { name: 'Set status' })).toBeDisabled()
  await setMany(user, 'Order Shipped')
  const outcome = await screen.findByTestId('bulk-outcome')
  expect(outcome).toHaveFocus()
  expect(outcome).toHaveTextContent('2 orders are now "Order Shipped".')
  expect(outcome).toHaveTextContent('1 order could not be updated and is still selected:')
  expect(outcome).toHaveTextContent('#SECOND: The order is gone.')
  expect(outcome).toHaveTextContent('Please check 1 order:')
  expect(outcome).toHaveTextContent('#THIRD3: It is not paid.')
  expect(bodies('update_order_statuses')).toEqual([
    { orderIds: ['o-1', 'o-2', 'o-3'], status: 'Order Shipped' },
  ])
  expect(tick('SECOND')).toBeChecked()
  expect(tick('FIRST1')).not.toBeChecked()
  await act(() => activateLang('ne'))
  expect(outcome).toHaveTextContent('#SECOND')
  expect(outcome).not.toHaveTextContent('The order is gone.')
})

test('cancelling many asks first', async () => {
  const { user, times } = await openSeller({ [SET_MANY]: ok({ results: [result('o-1')] }) })
  await user.click(tick('FIRST1'))
  await setMany(user, 'Cancelled')
  const dialog = within(screen.getByRole('dialog', { name: 'Cancel 1 order?' }))
  await user.click(dialog.getByRole('button', { name: 'Keep them' }))
  await user.click(bulk().getByRole('button', { name: 'Set status' }))
  await user.click(screen.getByRole('button', { name: 'Cancel 1 order' }))
  expect(await screen.findByTestId('bulk-outcome')).toHaveTextContent('1 order is now "Cancelled".')
  expect(times('update_order_statuses')).toBe(1)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('orders whose cancellation needs a code are cancelled once the code is entered', async () => {
  let proved = false
  const { user, bodies } = await openSeller({
    [SET_MANY]: ({ body }) => {
      const { orderIds } = body as { orderIds: string[] }
      const large = { ok: false, code: 'second_factor_needed', message: 'Enter a code.' }
      return ok({
        results: orderIds.map((id) => ({ ...result(id), ...(id === 'o-2' && !proved ? large : {}) })),
      })
    },
  })
  await user.click(tick('FIRST1'))
  await user.click(tick('SECOND'))
  await setMany(user, 'Cancelled')
  await user.click(screen.getByRole('button', { name: 'Cancel 2 orders' }))
  await waitFor(() => expect(stepUp.read()).not.toBeNull())
  expect(screen.queryByTestId('bulk-outcome')).toBeNull()

  proved = true
  act(() => stepUp.read()?.(true))

  expect(await screen.findByTestId('bulk-outcome')).toHaveTextContent('2 orders are now "Cancelled".')
  expect(bodies('update_order_statuses')).toEqual([
    { orderIds: ['o-1', 'o-2'], status: 'Cancelled' },
    { orderIds: ['o-2'], status: 'Cancelled' },
  ])
})

test.each([
  [refused(422, 'status_invalid', 'x'), 'Failed to update order status.'],
  [serverFailed, 'An error occurred while updating the order status. Please try again.'],
  ['no network' as const, 'An error occurred while updating the order status. Please try again.'],
])('many at once that fails altogether is told, and all stay ticked', async (failure, text) => {
  const { user } = await openSeller({ [SET_MANY]: failure })
  await user.click(tick('FIRST1'))
  await setMany(user, 'Delivered')
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  expect(tick('FIRST1')).toBeChecked()
})

test('many go in parts, and a part that breaks is named with all after it', async () => {
  const many = Array.from({ length: 250 }, (_, n) => ({ _id: `o-${n}` }) as Order)
  let part = 0
  const requests = mockServer({
    [SET_MANY]: ({ body }) => {
      part += 1
      if (part === 2) return serverFailed
      return ok({ results: (body as { orderIds: string[] }).orderIds.map((id) => result(id)) })
    },
  })
  const results = await setStatuses(many, 'Delivered')
  expect(requests).toHaveLength(2)
  expect(results).toHaveLength(250)
  expect(results.filter(({ ok }) => ok)).toHaveLength(25)
})

test('keys: to the next and back, open, tick, to the selector', async () => {
  const { user } = await openSeller()
  await user.keyboard('j')
  expect(head('FIRST1')).toHaveFocus()
  await user.keyboard('j{ArrowDown}')
  expect(head('THIRD3')).toHaveFocus()
  await user.keyboard('j')
  expect(head('THIRD3')).toHaveFocus()
  await user.keyboard('k')
  expect(head('SECOND')).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(head('SECOND')).toHaveAttribute('aria-expanded', 'true')
  await user.keyboard('x')
  expect(tick('SECOND')).toBeChecked()
  await user.keyboard('s')
  const selector = await screen.findByRole('combobox', { name: 'Order status for #SECOND' })
  await waitFor(() => expect(selector).toHaveFocus())
})

test('a number sets the status after the pause; the next number within it is meant instead', async () => {
  const { user, bodies } = await openSeller({
    [SET]: ({ body }) => ({
      body: {
        success: true,
        message: '',
        data: { ...three[0], status: (body as { status: string }).status },
        warning: '',
      },
    }),
  })
  holdTime()
  await user.keyboard('j5')
  await user.keyboard('3')
  expect(bodies('update_order_status')).toEqual([])
  await pass(400)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Order status updated successfully!')
  expect(bodies('update_order_status')).toEqual([{ orderId: 'o-1', status: 'Order Shipped' }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(bodies('update_order_status').at(-1)).toEqual({ orderId: 'o-1', status: 'Order Placed' }),
  )
})

test('a status that the order has already is no change, and never sent over what others set since', async () => {
  let list = three
  const { user, bodies } = await openSeller({
    [LIST]: () => page(list),
    [SET]: { body: { success: true, message: '', data: three[0], warning: '' } },
  })
  await user.keyboard('j1')
  const selector = await screen.findByRole('combobox', { name: 'Order status for #FIRST1' })
  list = three.map((each) => (each._id === 'o-1' ? { ...each, status: 'Delivered' } : each))
  act(() => FakeStream.last().say({ _id: 'o-1', orderId: 'FIRST1', status: 'Delivered' }))
  await waitFor(() => expect(selector).toHaveValue('Delivered'))
  fireEvent.change(screen.getByLabelText('Delivery date for #FIRST1'), { target: { value: '2026-12-01' } })
  await waitFor(() =>
    expect(bodies('update_order_status')).toEqual([{ orderId: 'o-1', deliveryDate: '2026-12-01' }]),
  )
})

test('keys change only the order that has the focus', async () => {
  const two = anOrder({ _id: 'o-2', orderId: 'SECOND', status: 'Delivered' })
  const { user, times } = await openSeller({
    [LIST]: ({ query }) => page(query?.status ? [two] : [three[0] as Order, two]),
  })
  await user.keyboard('j')
  await user.click(await screen.findByRole('button', { name: chip('Delivered', '12,500') }))
  await waitFor(() => expect(screen.getAllByTestId('order-card')).toHaveLength(1))
  holdTime()
  await user.keyboard('6xs')
  expect(tick('SECOND')).not.toBeChecked()
  expect(head('SECOND')).toHaveAttribute('aria-expanded', 'false')
  // The order that moved up to the vacant position is next and is not skipped.
  await user.keyboard('j')
  expect(head('SECOND')).toHaveFocus()
  await user.keyboard('x')
  expect(tick('SECOND')).toBeChecked()
  fireEvent.keyDown(head('SECOND'), { key: 'x', repeat: true })
  expect(tick('SECOND')).toBeChecked()
  await pass(500)
  expect(times('update_order_status')).toBe(0)
})

test('in a field keys are text', async () => {
  const { user } = await openSeller()
  const field = screen.getByRole('searchbox')
  await user.type(field, 'jx?5')
  expect(field).toHaveValue('jx?5')
  expect(field).toHaveFocus()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('? shows the keys, which can be switched off, and stay off', async () => {
  const { user } = await openSeller()
  await user.keyboard('?')
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  expect(dialog.getByText('Set status to "Out for Delivery"')).toBeInTheDocument()
  await user.click(dialog.getByRole('checkbox', { name: 'Use keyboard shortcuts' }))
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await user.keyboard('?j')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(head('FIRST1')).not.toHaveFocus()
  expect(localStorage.getItem('keyboard-shortcuts')).toBe('off')
  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }))
  expect(await screen.findByRole('dialog')).toBeInTheDocument()
})

test('an order that leaves the list does not take the keyboard’s place along', async () => {
  let list = three
  const { user } = await openSeller({ [LIST]: () => page(list) })
  await user.keyboard('jj')
  list = three.filter(({ orderId }) => orderId !== 'SECOND')
  await waitFor(() => expect(FakeStream.opened).toHaveLength(1))
  act(() => FakeStream.last().say({ _id: 'o-2', orderId: 'SECOND', status: 'Delivered' }))
  await waitFor(() => expect(screen.getAllByTestId('order-card')).toHaveLength(2))
  await waitFor(() => expect(head('THIRD3')).toHaveFocus())
})

test('a packing slip says all that is needed to pack and deliver, one for each order', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  const paid = anOrder({
    _id: 'o-2',
    orderId: 'SECOND',
    paymentMethod: 'Khalti',
    paymentState: 'paid',
    cashToCollect: 0,
  })
  const { user } = await openSeller({ [LIST]: page([three[0] as Order, paid]) })
  await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }))
  await user.click(bulk().getByRole('button', { name: 'Print 2 packing slips' }))
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
  const [cash, done] = screen.getAllByTestId('slip')
  for (const text of [
    'Thunse',
    '#FIRST1',
    '14 Nov 2026, 14:05',
    'Sita Sharma',
    '9841234567',
    'Baneshwor-10, Kathmandu',
    'Ward10',
    'Behind the temple',
    'Mustard Oil',
    'TotalRs. 812.20',
    'Cash to collectRs. 812.20',
  ])
    expect(cash).toHaveTextContent(text)
  expect(done).toHaveTextContent('Paid')
  expect(done).not.toHaveTextContent('Cash to collect')
  act(() => void window.dispatchEvent(new Event('afterprint')))
  expect(screen.queryByTestId('slip')).toBeNull()
  await user.click(head('FIRST1'))
  await user.click(await screen.findByRole('button', { name: 'Print packing slip' }))
  expect(await screen.findAllByTestId('slip')).toHaveLength(1)
})

test('where nobody says that it has been printed, the next press prints again', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  const { user } = await openSeller()
  await user.click(head('FIRST1'))
  for (const times of [1, 2]) {
    await user.click(await screen.findByRole('button', { name: 'Print packing slip' }))
    await waitFor(() => expect(print).toHaveBeenCalledTimes(times))
  }
  expect(screen.getAllByTestId('slip')).toHaveLength(1)
})

test('a search that found nothing is cleared into its field; a chip leaves the page where it is', async () => {
  const { user, router } = await openSeller({ [LIST]: ({ query }) => page(query?.status ? [] : three) })
  const resets: unknown[] = []
  const navigate = router.navigate
  vi.spyOn(router, 'navigate').mockImplementation(((options: { resetScroll?: boolean }) => {
    resets.push(options.resetScroll)
    return navigate(options as never)
  }) as never)
  await user.click(await screen.findByRole('button', { name: chip('Order Placed', '3') }))
  await user.click(await screen.findByRole('button', { name: 'Clear search' }))
  expect(screen.getByRole('searchbox')).toHaveFocus()
  expect(resets).toEqual([false, false])
})

test('the delivery sheet is a press away', async () => {
  await openSeller()
  expect(screen.getByRole('link', { name: 'Delivery sheet' })).toHaveAttribute('href', '/seller/delivery')
})
