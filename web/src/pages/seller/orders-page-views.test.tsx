import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { activateLang } from '@/lib/i18n'
import { SellerOrdersPage } from '@/pages/seller/orders-page'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { FakeStream, mockServer, ok } from '@/test/server'
import { setWidth } from '@/test/width'

const LIST = 'GET /api/order/get_orders'
const KEY = 'list.orders.sita@thunse.example'
type Table = Parameters<typeof mockServer>[0]

const page = (data: object[], nextCursor: string | null = null) => ({
  body: { success: true, message: '', data, nextCursor },
})
const counts = ok({
  all: { count: 9, capped: false },
  counts: [
    ['Order Placed', 3],
    ['Order Confirmed', 2],
    ['Delivered', 4],
  ].map(([status, count]) => ({ status, count, capped: false })),
})

beforeEach(() => {
  setWidth(1280)
  FakeStream.opened = []
  vi.stubGlobal('EventSource', FakeStream)
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Sita', email: 'sita@thunse.example' } as never)
})
afterEach(async () => {
  setWidth(1024)
  await activateLang('en')
})

async function openSeller(table: Table = {}, at = '/seller/orders') {
  const requests = mockServer({
    [LIST]: page([anOrder()]),
    'GET /api/order/get_order_counts': counts,
    ...table,
  })
  const shop = await renderInShop(<SellerOrdersPage />, { at: at as never })
  await screen.findByRole('navigation', { name: 'Views' })
  return { ...shop, requests, user: userEvent.setup() }
}

const views = () => within(screen.getByRole('navigation', { name: 'Views' }))
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? 'null')

async function saveView(user: ReturnType<typeof userEvent.setup>, name: string) {
  await user.click(await screen.findByRole('button', { name: 'Save view' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Save these filters as a view' }))
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), name)
  await user.click(dialog.getByRole('button', { name: 'Save view' }))
}

test('all orders and those to do are views of every shop, and only a new filter can be saved', async () => {
  const { user, address } = await openSeller()
  expect(views().getByRole('button', { name: 'All' })).toHaveAttribute('aria-current', 'true')
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()
  await user.click(await views().findByRole('button', { name: /^To do\s*5$/ }))
  await waitFor(() => expect(address()).toBe('/seller/orders?status=todo'))
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()
})

test('what is to do comes from two statuses, newest first, and goes on where each ended', async () => {
  const at = (orderId: string, date: string, status: string) =>
    anOrder({ _id: orderId, orderId, date, status })
  const { user, requests } = await openSeller(
    {
      [LIST]: ({ query }) => {
        if (query?.status === 'Order Placed')
          return query.cursor
            ? page([at('PLACE2', '2026-11-10T08:00:00Z', 'Order Placed')])
            : page([at('PLACE1', '2026-11-14T08:00:00Z', 'Order Placed')], 'further')
        if (query?.status === 'Order Confirmed')
          return page([at('CONF01', '2026-11-15T08:00:00Z', 'Order Confirmed')])
        return page([])
      },
    },
    '/seller/orders?status=todo',
  )
  const numbers = () => screen.getAllByTestId('order-card').map(({ id }) => id)
  await waitFor(() => expect(numbers()).toEqual(['CONF01', 'PLACE1']))
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(numbers()).toEqual(['CONF01', 'PLACE1', 'PLACE2']))
  expect(requests.filter(({ query }) => query?.status === 'Order Confirmed')).toHaveLength(1)
  expect(requests.some(({ query }) => query?.status === 'todo')).toBe(false)
})

test('nothing to do is good news', async () => {
  await openSeller({ [LIST]: page([]) }, '/seller/orders?status=todo')
  expect(await screen.findByText('Nothing to do')).toBeInTheDocument()
})

test('a filter is saved under a name, picked again, renamed and deleted, which can be undone', async () => {
  const { user, address } = await openSeller({}, '/seller/orders?status=Cancelled&search=Sita&unpaid=true')
  expect(screen.getByRole('searchbox')).toHaveValue('Sita')
  await user.click(await screen.findByRole('button', { name: 'Save view' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save view' }))
  expect(screen.getByText('Enter a name')).toBeInTheDocument()
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Sita’s')
  await user.keyboard('{Enter}')
  const filter = { search: 'Sita', status: 'Cancelled', unpaid: 'true' }
  expect(stored()).toMatchObject({ version: 1, views: [{ name: 'Sita’s', filter }] })
  expect(views().getByRole('button', { name: 'Sita’s' })).toHaveAttribute('aria-current', 'true')

  await user.click(views().getByRole('button', { name: 'All' }))
  await waitFor(() => expect(address()).toBe('/seller/orders'))
  expect(screen.getByRole('searchbox')).toHaveValue('')
  await user.click(views().getByRole('button', { name: 'Sita’s' }))
  await waitFor(() => expect(screen.getByRole('searchbox')).toHaveValue('Sita'))
  expect(screen.getByRole('checkbox', { name: 'Show unpaid online orders' })).toBeChecked()

  await user.click(await views().findByRole('button', { name: 'Edit the view Sita’s' }))
  const name = screen.getByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Cancelled ones{Enter}')
  expect(stored().views).toEqual([{ name: 'Cancelled ones', filter }])

  await user.click(views().getByRole('button', { name: 'Edit the view Cancelled ones' }))
  await user.click(screen.getByRole('button', { name: 'Delete view' }))
  expect(views().queryByRole('button', { name: 'Cancelled ones' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(views().getByRole('button', { name: 'Cancelled ones' })).toBeInTheDocument()
})

test('a view that is saved again under its name is replaced', async () => {
  const { user } = await openSeller({}, '/seller/orders?status=Cancelled')
  await saveView(user, 'Mine')
  await user.click(screen.getByRole('button', { name: /^Delivered/ }))
  await saveView(user, 'Mine')
  expect(stored().views).toEqual([{ name: 'Mine', filter: { search: '', status: 'Delivered', unpaid: '' } }])
})

test('another member of staff on the same device has other views, and nonsense is no view', async () => {
  localStorage.setItem(
    'list.orders.hari@thunse.example',
    '{"version":1,"views":[{"name":"Hari’s","filter":{}}]}',
  )
  localStorage.setItem(KEY, '{{{')
  await openSeller()
  expect(views().getAllByRole('button')).toHaveLength(2)
})

test('columns are chosen for this device', async () => {
  const { user } = await openSeller()
  const card = await screen.findByTestId('order-card')
  expect(card.querySelector('.order-thumbs')).not.toBeNull()
  expect(card).not.toHaveTextContent('9841234567')
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  await user.click(screen.getByRole('checkbox', { name: 'Phone' }))
  await user.click(screen.getByRole('checkbox', { name: 'Delivery date' }))
  await user.click(screen.getByRole('checkbox', { name: 'Pictures' }))
  expect(card).toHaveTextContent(/Phone9841234567/)
  expect(card.querySelector('.order-thumbs')).toBeNull()
  expect(stored().columns).toEqual(['delivery', 'phone'])
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('checkbox', { name: 'Phone' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Columns' })).toHaveFocus()
})

test('the views speak Nepali', async () => {
  await openSeller()
  await act(() => activateLang('ne'))
  expect(screen.getByRole('navigation', { name: 'दृश्यहरू' })).toHaveTextContent('गर्नुपर्ने काम')
})
