import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Order } from '@/features/orders/api'
import { activateLang } from '@/lib/i18n'
import { SellerOrdersPage } from '@/pages/seller/orders-page'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { FakeStream, mockServer } from '@/test/server'
import { setWidth } from '@/test/width'

const LIST = 'GET /api/order/get_orders'
const SET = 'PUT /api/order/update_order_status'
type Table = Parameters<typeof mockServer>[0]

const page = (data: object[]) => ({ body: { success: true, message: '', data, nextCursor: null } })
const three = ['FIRST1', 'SECOND', 'THIRD3'].map((orderId, n) => anOrder({ _id: `o-${n + 1}`, orderId }))

beforeEach(() => {
  setWidth(1280)
  FakeStream.opened = []
  vi.stubGlobal('EventSource', FakeStream)
})
afterEach(async () => {
  setWidth(1024)
  await activateLang('en')
})

async function openSeller(table: Table = {}, at = '/seller/orders') {
  const requests = mockServer({ [LIST]: page(three), ...table })
  const shop = await renderInShop(<SellerOrdersPage />, { at: at as never })
  await screen.findAllByTestId('order-card')
  return { ...shop, requests, user: userEvent.setup() }
}

const head = (id: string) => screen.getByRole('button', { name: new RegExp(`#${id}`) })
const tick = (id: string) => screen.getByRole('checkbox', { name: `Select order #${id}` })
const shownOrder = (id: string) => screen.findByRole('region', { name: `Order #${id}` })
const panelGone = () => waitFor(() => expect(screen.queryByTestId('order-panel')).toBeNull())
const selector = (id: string) => screen.findByRole('combobox', { name: `Order status for #${id}` })

test('a click opens the order beside the list, which keeps its filter and selection', async () => {
  const { user, address } = await openSeller({}, '/seller/orders?status=Order+Placed')
  await user.click(tick('THIRD3'))

  await user.click(head('SECOND'))

  const panel = within(await shownOrder('SECOND'))
  expect(await panel.findByText('sita@example.com')).toBeInTheDocument()
  expect(panel.getByRole('heading', { level: 2 })).toHaveFocus()
  expect(address()).toBe('/seller/orders?status=Order+Placed&order=SECOND')
  expect(head('SECOND')).toHaveAttribute('aria-expanded', 'true')
  expect(head('SECOND')).toHaveAttribute('aria-controls', 'order-panel')
  expect(
    within(screen.getAllByTestId('order-card')[1] as HTMLElement).queryByText('sita@example.com'),
  ).toBeNull()
  expect(tick('THIRD3')).toBeChecked()
})

test('Escape closes the panel and gives the focus back to the order; a second click closes it too', async () => {
  const { user, address } = await openSeller()
  await user.click(head('SECOND'))
  await shownOrder('SECOND')
  await user.keyboard('{Escape}')
  await panelGone()
  expect(address()).toBe('/seller/orders')
  await waitFor(() => expect(head('SECOND')).toHaveFocus())

  await user.click(head('SECOND'))
  await shownOrder('SECOND')
  await user.click(head('SECOND'))
  await panelGone()
})

test('in a field of the panel Escape only leaves the field; in the search it means the search', async () => {
  const { user } = await openSeller()
  await user.click(head('FIRST1'))
  const status = await selector('FIRST1')
  status.focus()
  await user.keyboard('{Escape}')
  expect(screen.getByRole('heading', { level: 2, name: 'Order #FIRST1' })).toHaveFocus()

  screen.getByRole('searchbox').focus()
  await user.keyboard('{Escape}')
  expect(screen.getByTestId('order-panel')).toBeInTheDocument()
})

test('the address opens the order again after a reload, and going back closes it', async () => {
  const { user, router, address } = await openSeller({}, '/seller/orders?order=THIRD3')
  await shownOrder('THIRD3')
  await user.click(screen.getByRole('button', { name: 'Close the order' }))
  await panelGone()
  expect(address()).toBe('/seller/orders')

  await user.click(head('FIRST1'))
  await shownOrder('FIRST1')
  await user.keyboard('j')
  await shownOrder('SECOND')
  act(() => router.history.back())
  await panelGone()
  await waitFor(() => expect(head('SECOND')).toHaveFocus())
})

test('a filter that was changed beside an open order stays after closing it', async () => {
  const { user, address } = await openSeller()
  await user.click(head('FIRST1'))
  await shownOrder('FIRST1')
  await user.click(screen.getByRole('button', { name: 'Order Placed' }))
  await waitFor(() => expect(address()).toBe('/seller/orders?order=FIRST1&status=Order+Placed'))
  await user.click(screen.getByRole('button', { name: 'Close the order' }))
  await panelGone()
  expect(address()).toBe('/seller/orders?status=Order+Placed')
})

test('next and previous: by button and by key, until the end of the list', async () => {
  const { user } = await openSeller()
  await user.click(head('FIRST1'))
  await shownOrder('FIRST1')
  const next = screen.getByRole('button', { name: 'Next order' })
  const previous = screen.getByRole('button', { name: 'Previous order' })
  expect(previous).toHaveAttribute('aria-disabled', 'true')
  await user.click(next)
  await shownOrder('SECOND')
  await user.keyboard('j')
  await shownOrder('THIRD3')
  expect(next).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard('j')
  await shownOrder('THIRD3')
  await user.keyboard('kk')
  await shownOrder('FIRST1')
  expect(screen.getByRole('heading', { level: 2, name: 'Order #FIRST1' })).toHaveFocus()
})

test('an order that leaves the filtered list stays in the panel, and the next one is the one that moved up', async () => {
  let list: Order[] = three
  const confirmed = anOrder({ ...(three[0] as Order), status: 'Order Confirmed' })
  const { user } = await openSeller({
    [LIST]: ({ query }) => page(query?.search ? [confirmed] : list),
    [SET]: () => {
      list = three.slice(1)
      return { body: { success: true, message: '', data: confirmed, warning: '' } }
    },
  })
  await user.click(head('FIRST1'))
  await user.selectOptions(await selector('FIRST1'), 'Order Confirmed')
  await screen.findByTestId('toast')
  act(() => FakeStream.last().say({ _id: 'o-1', orderId: 'FIRST1', status: 'Order Confirmed' }))
  await waitFor(() => expect(screen.getAllByTestId('order-card')).toHaveLength(2), { timeout: 4000 })
  expect(await selector('FIRST1')).toHaveDisplayValue('Order Confirmed')
  await user.click(screen.getByRole('button', { name: 'Next order' }))
  await shownOrder('SECOND')
})

test('an order that the list does not have is fetched by its number, unpaid ones too', async () => {
  const old = anOrder({ _id: 'o-9', orderId: 'OLDER9' })
  const { requests } = await openSeller(
    { [LIST]: ({ query }) => page(query?.search === 'OLDER9' ? [old] : three) },
    '/seller/orders#OLDER9',
  )
  expect(await within(await shownOrder('OLDER9')).findByText('sita@example.com')).toBeInTheDocument()
  expect(requests.some(({ query }) => query?.search === 'OLDER9' && query.unpaid === 'true')).toBe(true)
  expect(screen.getByRole('searchbox')).toHaveValue('')
})

test('an order that does not exist is said to be missing', async () => {
  await openSeller({ [LIST]: ({ query }) => page(query?.search ? [] : three) }, '/seller/orders?order=NEVER1')
  expect(await screen.findByText('This order could not be found.')).toBeInTheDocument()
})

test('s goes to the status in the panel, and a number sets it', async () => {
  const { user, requests } = await openSeller({
    [SET]: { body: { success: true, message: '', data: three[0], warning: '' } },
  })
  await user.keyboard('js')
  await waitFor(async () => expect(await selector('FIRST1')).toHaveFocus())
  await user.keyboard('{Escape}5')
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { orderId: 'o-1', status: 'Delivered' },
    ]),
  )
})

test('on a phone the order of the address opens in its card', async () => {
  setWidth(360)
  await openSeller({}, '/seller/orders?order=SECOND')
  expect(await selector('SECOND')).toBeInTheDocument()
  expect(screen.queryByTestId('order-panel')).toBeNull()
  expect(head('SECOND')).toHaveAttribute('aria-expanded', 'true')
})

test('the panel speaks Nepali', async () => {
  const { user } = await openSeller()
  await user.click(head('FIRST1'))
  await shownOrder('FIRST1')
  await act(() => activateLang('ne'))
  expect(screen.getByRole('button', { name: 'अर्को अर्डर' })).toBeInTheDocument()
  expect(screen.getByRole('region', { name: 'अर्डर #FIRST1' })).toBeInTheDocument()
})
