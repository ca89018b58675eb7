import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import type { DeliveryOrder } from '@/features/reports/delivery-api'
import { SellerDeliveryPage } from '@/pages/seller/delivery-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

const SHEET = 'GET /api/order/get_delivery_sheet'
type Table = Parameters<typeof mockServer>[0]

const aDrop = (changes: Partial<DeliveryOrder> = {}): DeliveryOrder => ({
  _id: 'o-1',
  orderId: 'TH7K2M',
  name: 'Sita Sharma',
  phone: '9841234567',
  address: 'Baneshwor-10, Kathmandu',
  landmark: 'Behind the temple',
  status: 'Order Confirmed',
  items: 3,
  cashToCollect: 812.2,
  paymentMethod: 'COD',
  deliveryDate: '2026-11-15',
  ...changes,
})
const aSheet = (changes: object = {}) => ({
  date: '2026-11-15',
  stops: [
    { municipality: 'Kathmandu', ward: '10', orders: [aDrop()], cash: 812.2 },
    {
      municipality: '',
      ward: '',
      orders: [aDrop({ _id: 'o-2', orderId: 'OTHER1', cashToCollect: 0, deliveryDate: '2026-11-12' })],
      cash: 0,
    },
  ],
  orders: 2,
  cash: 812.2,
  capped: false,
  ...changes,
})

async function openSheet(answer: Table[string], at = '/seller/delivery?date=2026-11-15') {
  const requests: string[] = []
  mockServer({ [SHEET]: answer })
  const plain = fetch
  vi.stubGlobal('fetch', (request: Request) => {
    requests.push(decodeURIComponent(new URL(request.url).search))
    return plain(request)
  })
  const shop = await renderInShop(<SellerDeliveryPage />, { at: at as never })
  return { ...shop, requests, user: userEvent.setup() }
}

test('the sheet is grouped by place, with what to collect there, whom to call and what to look for', async () => {
  const { requests } = await openSheet(ok(aSheet()))
  const [first, second] = await screen.findAllByTestId('stop')
  const stop = within(first as HTMLElement)
  expect(stop.getByText('Kathmandu, ward 10')).toBeInTheDocument()
  expect(stop.getByRole('link', { name: '9841234567' })).toHaveAttribute('href', 'tel:+9779841234567')
  expect(stop.getByRole('link', { name: '#TH7K2M' })).toHaveAttribute('href', '/seller/orders#TH7K2M')
  expect(stop.getByText('Behind the temple')).toBeInTheDocument()
  expect(stop.getByText('Cash to collect here').closest('tr')).toHaveTextContent('Rs. 812.20')
  expect(second).toHaveTextContent('No municipality')
  expect(second).toHaveTextContent('Was due 12 Nov 2026')
  expect(second).toHaveTextContent('None')
  expect(screen.getByTestId('sheet')).toHaveTextContent('Orders2')
  expect(requests).toEqual([
    '?date=2026-11-15&late=true&status=Order+Confirmed,Order+Shipped,Out+for+Delivery',
  ])
})

test('date, statuses and late ones are chosen, stored in the address, and the last status stays', async () => {
  const { user, requests, address } = await openSheet(
    ok(aSheet()),
    '/seller/delivery?date=2026-11-15&status=Order+Placed,Delivered',
  )
  await screen.findByTestId('sheet')
  expect(requests).toEqual(['?date=2026-11-15&late=true&status=Order+Placed'])
  const placed = screen.getByRole('checkbox', { name: 'Order Placed' })
  await user.click(placed)
  expect(placed).toBeChecked()
  expect(screen.queryByRole('checkbox', { name: 'Delivered' })).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: 'Out for Delivery' }))
  await waitFor(() => expect(decodeURIComponent(address())).toContain('status=Order+Placed,Out+for+Delivery'))
  await user.click(screen.getByRole('checkbox', { name: /undelivered/ }))
  await waitFor(() =>
    expect(requests.at(-1)).toBe('?date=2026-11-15&late=false&status=Order+Placed,Out+for+Delivery'),
  )
})

test('a sheet that is too long says so; printing prints', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  const { user } = await openSheet(ok(aSheet({ orders: 500, capped: true })))
  expect(await screen.findByText(/Only the first 500 orders are shown/)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
})

test('a sheet that still is that of another day is not printed', async () => {
  await openSheet(ok(aSheet()))
  await screen.findByTestId('sheet')
  const print = screen.getByRole('button', { name: 'Print' })
  expect(print).toBeEnabled()
  mockServer({ [SHEET]: 'never' })
  fireEvent.change(screen.getByLabelText('Delivery date'), { target: { value: '2026-11-16' } })
  await waitFor(() => expect(print).toBeDisabled())
  expect(screen.getByTestId('sheet')).toBeInTheDocument()
})

test('nothing to deliver is said, and nothing printed', async () => {
  await openSheet(ok(aSheet({ stops: [], orders: 0, cash: 0 })))
  expect(await screen.findByText('Nothing to deliver')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Print' })).toBeDisabled()
})

test.each([
  [refused(400, 'x', ''), 'Failed to fetch orders.'],
  [serverFailed, 'An error occurred while fetching orders. Please try again.'],
])('a sheet that fails says so and can be tried again', async (failure, text) => {
  let works = false
  const { user } = await openSheet(() => (works ? ok(aSheet()) : failure))
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  works = true
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByTestId('sheet')).toBeInTheDocument()
})

test('an ended session shows the door', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
  await openSheet(refused(401, 'signed_out', ''))
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
})

test('a date that is being typed is not asked for before it is one', async () => {
  const { user, requests, address } = await openSheet(ok(aSheet()))
  await screen.findByTestId('sheet')
  const day = screen.getByLabelText('Delivery date')
  fireEvent.change(day, { target: { value: '0202-11-14' } })
  await user.click(screen.getByRole('checkbox', { name: 'Order Placed' }))
  await waitFor(() => expect(requests.at(-1)).toContain('status=Order+Placed'))
  expect(requests.map((query) => query.slice(0, 16))).toEqual(['?date=2026-11-15', '?date=2026-11-15'])
  expect(day).toHaveValue('0202-11-14')
  // A day that has passed, because the sheet of today has no date in its address.
  fireEvent.change(day, { target: { value: '2026-11-14' } })
  await waitFor(() => expect(address()).toContain('date=2026-11-14'))
  await waitFor(() => expect(requests.at(-1)).toContain('date=2026-11-14'))
  expect(requests).toHaveLength(3)
})
