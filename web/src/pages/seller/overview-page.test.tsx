import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { SellerOverviewPage } from '@/pages/seller/overview-page'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

const OVERVIEW = 'GET /api/order/get_overview'
const TOP = 'GET /api/order/get_top_products'
const LOW = 'GET /api/product/get_seller_products'
const CASES = 'GET /api/order/get_cases'
const COMPLAINTS = 'GET /api/complaint/get_seller_complaints'
const COUNTS = 'GET /api/order/get_order_counts'
type Table = Parameters<typeof mockServer>[0]

const days = ['13', '14', '15'].map((day, n) => ({
  date: `2026-11-${day}`,
  orders: n * 2,
  revenue: n * 1234.5,
}))
const anOverview = (changes: object = {}) => ({
  from: '2026-11-13',
  to: '2026-11-15',
  madeAt: '2026-11-15T08:20:00Z',
  figures: {
    orders: 6,
    revenue: 3703.5,
    averageBasket: 617.25,
    cashToCollect: 1200,
    paidOnline: 2503.5,
    cancelled: 1,
  },
  days,
  hours: [],
  ...changes,
})
const stock = (products: object[], low = products.length, out = 0) => ({
  body: {
    success: true,
    message: '',
    data: products,
    nextCursor: null,
    total: low,
    totalCapped: false,
    counts: { all: 60, low, out },
  },
})
const open = (n: number) => ({ body: { success: true, message: '', data: [], nextCursor: null, open: n } })
const counted = (counts: Record<string, number>) =>
  ok({
    all: { count: 0, capped: false },
    counts: Object.entries(counts).map(([status, count]) => ({ status, count, capped: false })),
  })
const sold = { _id: 'p-oil', name: 'Mustard Oil', nameNe: null, image: null, quantity: 12, revenue: 3840 }

async function openPage(table: Table = {}, at = '/seller/overview') {
  const requests = mockServer({
    [OVERVIEW]: ok(anOverview()),
    [TOP]: ok([sold]),
    [LOW]: stock([aProduct({ stock: 3 })], 8, 2),
    [CASES]: open(0),
    [COMPLAINTS]: open(0),
    [COUNTS]: counted({}),
    ...table,
  })
  const shop = await renderInShop(<SellerOverviewPage />, { at: at as never })
  return { ...shop, requests, user: userEvent.setup() }
}

test('the figures are there, counted and in rupees', async () => {
  await openPage()
  for (const [name, text] of [
    ['orders', 'Orders6'],
    ['revenue', 'RevenueRs. 3703.50'],
    ['averageBasket', 'Average orderRs. 617.25'],
    ['cashToCollect', 'Cash to collectRs. 1200'],
    ['paidOnline', 'Paid onlineRs. 2503.50'],
    ['cancelled', 'Cancelled orders1'],
  ])
    expect(await screen.findByTestId(`figure-${name}`)).toHaveTextContent(text as string)
  expect(screen.getByText('As of 15 Nov 2026, 14:05')).toBeInTheDocument()
})

test('what to do comes first, each with the way to it', async () => {
  await openPage({
    [COUNTS]: counted({ 'Order Placed': 3, 'Order Confirmed': 2, 'Order Shipped': 1, 'Out for Delivery': 4 }),
  })
  const todo = within(await screen.findByRole('region', { name: 'To do now' }))
  for (const [name, href] of [
    ['3 to confirm', '/seller/orders?status=Order%20Placed'],
    ['2 to pack', '/seller/packing'],
    ['5 to deliver', '/seller/delivery'],
    ['2 to restock', '/seller?stock=out'],
  ] as const) {
    const link = await todo.findByRole('link', { name })
    expect(link.getAttribute('href')?.replace('+', '%20')).toBe(href)
  }
  expect(screen.getAllByRole('heading', { level: 2 })[0]).toHaveTextContent('To do now')
})

const month = Array.from({ length: 30 }, (_, n) => ({
  date: `2026-11-${n + 1}`,
  orders: n,
  revenue: n * 100,
}))
const overMonth: Table = {
  [OVERVIEW]: ({ query }) => ok(anOverview(query?.days === '30' ? { days: month } : {})),
}

test('a week is compared with the week before, and today with the same day last week', async () => {
  const { user } = await openPage(overMonth)
  const figure = (name: string) => screen.getByTestId(`figure-${name}`)
  // 16 + 17 + … + 22 orders of Rs. 100 each.
  expect(await screen.findByText('−95% · 7 days before: 133')).toBeInTheDocument()
  expect(figure('revenue')).toHaveTextContent('−72% · 7 days before: Rs. 13,300')
  expect(figure('averageBasket')).toHaveTextContent('+517% · 7 days before: Rs. 100')
  expect(figure('cancelled')).not.toHaveTextContent('before')
  await user.click(screen.getByRole('button', { name: 'Today' }))
  await waitFor(() => expect(figure('orders')).toHaveTextContent('Same day last week: 22'))
  await user.click(screen.getByRole('button', { name: '30 days' }))
  await waitFor(() => expect(figure('orders')).toHaveTextContent(/^Orders6$/))
})

test('a period without orders says so', async () => {
  await openPage({
    [OVERVIEW]: ok(anOverview({ figures: { ...anOverview().figures, orders: 0 } })),
  })
  expect(await screen.findByText(/No orders/)).toBeInTheDocument()
})

test('the span is in the address', async () => {
  const { user, address } = await openPage({}, '/seller/overview?days=30')
  expect(await screen.findByRole('button', { name: '30 days' })).toHaveAttribute('aria-pressed', 'true')
  await user.click(screen.getByRole('button', { name: 'Today' }))
  await waitFor(() => expect(address()).toMatch(/\?days=.*1/))
  expect(screen.getByRole('button', { name: 'Today' })).toHaveAttribute('aria-pressed', 'true')
})

test('the chart is one stop for the Tab key; arrows go from day to day, and each says its figures', async () => {
  const { user } = await openPage()
  const chart = await screen.findByRole('group', { name: /^Daily chart/ })
  const shown = within(chart).getAllByRole('img')
  expect(shown.map((day) => day.getAttribute('tabindex'))).toEqual(['-1', '-1', '0'])
  expect(shown[2]).toHaveAccessibleName('15 Nov 2026: 4 orders, Rs. 2469')
  shown[2]?.focus()
  await user.keyboard('{ArrowLeft}')
  expect(shown[1]).toHaveFocus()
  expect(screen.getByTestId('chart-now')).toHaveTextContent('14 Nov 2026: 2 orders, Rs. 1234.50')
  await user.keyboard('{Home}{ArrowLeft}')
  expect(shown[0]).toHaveFocus()
  await user.keyboard('{End}')
  expect(shown[2]).toHaveFocus()
})

test('the last day stays the last when more days are shown, and a chosen one the chosen', async () => {
  const more = [...Array.from({ length: 4 }, (_, n) => ({ ...days[1], date: `2026-11-0${n + 1}` })), ...days]
  const { user } = await openPage({
    [OVERVIEW]: ({ query }) => ok(anOverview({ days: query?.days === '30' ? more : days })),
  })
  expect(await screen.findByTestId('chart-now')).toHaveTextContent('15 Nov 2026')
  await user.click(screen.getByRole('button', { name: '30 days' }))
  const chart = await screen.findByRole('group', { name: /^Daily chart/ })
  await waitFor(() => expect(within(chart).getAllByRole('img')).toHaveLength(7))
  expect(screen.getByTestId('chart-now')).toHaveTextContent('15 Nov 2026')
  within(chart)
    .getByRole('img', { name: /^14 Nov/ })
    .focus()
  await user.click(screen.getByRole('button', { name: '7 days' }))
  await waitFor(() => expect(within(chart).getAllByRole('img')).toHaveLength(3))
  expect(screen.getByTestId('chart-now')).toHaveTextContent('14 Nov 2026')
})

test('an arrow with Alt is the browser’s', async () => {
  await openPage()
  const chart = await screen.findByRole('group', { name: /^Daily chart/ })
  const today = within(chart).getAllByRole('img')[2] as HTMLElement
  today.focus()
  expect(fireEvent.keyDown(today, { key: 'ArrowLeft', altKey: true })).toBe(true)
  expect(today).toHaveFocus()
})

test('the same as a table', async () => {
  const { user } = await openPage()
  await user.click(await screen.findByRole('button', { name: 'Show as a table' }))
  const table = within(screen.getByRole('table', { name: 'Orders and revenue by day' }))
  expect(table.getByRole('row', { name: '15 Nov 2026 4 Rs. 2469.00' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Show as a chart' }))
  expect(screen.getByRole('group', { name: /^Daily chart/ })).toBeInTheDocument()
})

test('a quiet week is said, and a single day is not drawn', async () => {
  const quiet = {
    days: days.map((day) => ({ ...day, orders: 0 })),
    figures: { ...anOverview().figures, orders: 0 },
  }
  await openPage({
    [OVERVIEW]: ({ query }) => ok(anOverview(query?.days === '30' ? { days: month } : quiet)),
  })
  expect(await screen.findByText('No orders in this period.')).toBeInTheDocument()
  expect(screen.queryByRole('group', { name: /^Daily chart/ })).toBeNull()
})

test('what sold most, what runs low with a way to it, and what waits', async () => {
  await openPage({ [CASES]: open(1), [COMPLAINTS]: open(1) })
  expect(await screen.findByTestId('top-product')).toHaveTextContent('Mustard Oil12 soldRs. 3840')
  expect(await screen.findByTestId('low-product')).toHaveTextContent('3 left')
  expect(screen.getByRole('link', { name: 'See all 8 low-stock products' })).toHaveAttribute(
    'href',
    '/seller?stock=low',
  )
  expect(screen.getByRole('link', { name: '2 out of stock' })).toHaveAttribute('href', '/seller?stock=out')
  expect(await screen.findByRole('link', { name: /2 cases are waiting for you/ })).toHaveAttribute(
    'href',
    '/seller/attention',
  )
})

test('what could not be counted is not shown as zero', async () => {
  await openPage({ [COUNTS]: serverFailed })
  expect(await screen.findByRole('link', { name: /^2\s*to restock/ })).toBeInTheDocument()
  expect(screen.getAllByText('–')).toHaveLength(3)
})

test('nothing sold, nothing low, nothing waiting', async () => {
  await openPage({ [TOP]: ok([]), [LOW]: stock([]) })
  expect(await screen.findByText('Nothing sold in this period.')).toBeInTheDocument()
  expect(await screen.findByText('No products are low in stock.')).toBeInTheDocument()
  expect(await screen.findByText('Nothing is waiting for you.')).toBeInTheDocument()
})

test.each([
  [refused(400, 'x', ''), 'Failed to fetch the overview.'],
  [serverFailed, 'An error occurred while fetching the overview. Please try again.'],
])('figures that fail say so and can be tried again', async (failure, text) => {
  let works = false
  const { user } = await openPage({ [OVERVIEW]: () => (works ? ok(anOverview()) : failure) })
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  expect(screen.getByText('We could not load the figures.')).toBeInTheDocument()
  works = true
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByTestId('figure-orders')).toBeInTheDocument()
})

test('what stands beside may fail by itself', async () => {
  await openPage({ [TOP]: serverFailed, [LOW]: serverFailed })
  expect(await screen.findByText('We could not load the top products.')).toBeInTheDocument()
  expect(await screen.findByText('We could not load the stock.')).toBeInTheDocument()
  expect(screen.getByTestId('figure-orders')).toBeInTheDocument()
})

test('an ended session shows the door', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
  await openPage({ [OVERVIEW]: refused(401, 'signed_out', '') })
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
})

describe('the orders of today by hour', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    orders: hour === 9 ? 5 : 0,
    ordersLastWeek: hour === 9 ? 2 : hour === 23 ? 1 : 0,
  }))
  const TODAY = { [OVERVIEW]: ok(anOverview({ days: days.slice(-1), hours })) }
  const bar = (name: RegExp) => screen.findByRole('img', { name })

  test('each hour says its orders and those of last week, and arrow keys move between hours', async () => {
    const { user } = await openPage(TODAY, '/seller/overview?days=1')
    const chart = within(await screen.findByRole('group', { name: /^Hourly chart/ }))
    expect(await bar(/^09:00–10:00: 5 orders, last week 2$/)).toBeInTheDocument()
    // From six in the morning to the last order of last week.
    expect(chart.getAllByRole('img')).toHaveLength(18)
    // As of 14:05 in Nepal.
    expect(screen.getByTestId('hours-now')).toHaveTextContent('14:00–15:00: 0 orders, last week 0')
    ;(await bar(/^14:00/)).focus()
    await user.keyboard('{ArrowLeft}')
    expect(await bar(/^13:00/)).toHaveFocus()
    await user.keyboard('{Home}')
    expect(await bar(/^06:00/)).toHaveFocus()
    await user.keyboard('{End}')
    expect(screen.getByTestId('hours-now')).toHaveTextContent('23:00–24:00: 0 orders, last week 1')
  })

  test('the same figures are in a table, where hours to come have none yet', async () => {
    const { user } = await openPage(TODAY, '/seller/overview?days=1')
    await screen.findByRole('group', { name: /^Hourly chart/ })
    await user.click(screen.getByRole('button', { name: 'Show as a table' }))
    const table = within(screen.getByRole('table', { name: 'Orders by hour' }))
    const cells = (name: string) =>
      within(table.getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent)
    expect(cells('09:00')).toEqual(['5', '2'])
    expect(cells('23:00')).toEqual(['–', '1'])
  })

  test('a day without orders, today and a week ago, says so', async () => {
    const quiet = hours.map(({ hour }) => ({ hour, orders: 0, ordersLastWeek: 0 }))
    const none = anOverview({ days: days.slice(-1), hours: quiet })
    await openPage(
      { [OVERVIEW]: ok({ ...none, figures: { ...none.figures, orders: 0 } }) },
      '/seller/overview?days=1',
    )
    expect(await screen.findByText('No orders in this period.')).toBeInTheDocument()
    expect(screen.queryByRole('group', { name: /^Hourly chart/ })).toBeNull()
  })
})
