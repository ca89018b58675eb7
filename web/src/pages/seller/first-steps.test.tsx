import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { orderCounts } from '@/features/orders/seller/order-counts'
import { settings as firstData } from '@/lib/first-data'
import { activateLang } from '@/lib/i18n'
import { FirstSteps } from '@/pages/seller/first-steps'
import { SellerOverviewPage } from '@/pages/seller/overview-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, serverFailed } from '@/test/server'
import { settled } from '@/test/settled'

type Table = Parameters<typeof mockServer>[0]
const SETTINGS = 'GET /api/shop/get_settings'
const RULES = 'GET /api/delivery/get_delivery_rules'
const PRODUCTS = 'GET /api/product/get_seller_products'
const COUNTS = 'GET /api/order/get_order_counts'

const settings = (changes: object = {}) =>
  ok({ brand: 'Sita Store', phone: '9841234567', address: 'Baneshwor', version: '1', ...changes })
const rules = (zones: object[]) => ok({ zones, closedDays: [], today: '2026-11-18' })
const products = (all: number) => ({
  body: {
    success: true,
    message: '',
    data: [],
    nextCursor: null,
    total: 0,
    totalCapped: false,
    counts: { all, low: 0, out: 0 },
  },
})
const orders = (count: number) => ok({ all: { count, capped: false }, counts: [] })

const NEW_SHOP: Table = {
  [SETTINGS]: settings({ phone: '', address: '' }),
  [RULES]: rules([]),
  [PRODUCTS]: products(0),
  [COUNTS]: orders(0),
}
const ALL_DONE: Table = {
  [SETTINGS]: settings(),
  [RULES]: rules([{ _id: 'z-1' }]),
  [PRODUCTS]: products(10),
  [COUNTS]: orders(1),
}

const wallets = firstData.onlinePayment
afterEach(async () => {
  firstData.onlinePayment = wallets
  await activateLang('en')
})

async function openSteps(table: Table, permissions?: string[]) {
  firstData.onlinePayment = []
  queryClient.setQueryData(sessions.seller.queryKey, {
    name: 'Sita',
    email: 'sita@thunse.example',
    ...(permissions ? { permissions } : {}),
  } as never)
  const requests = mockServer(table)
  await renderInShop(<FirstSteps />, { at: '/seller/overview' as never })
  return { requests, user: userEvent.setup() }
}

const list = () => screen.findByRole('region', { name: 'Set up your shop' })
const gone = () => expect(screen.queryByTestId('first-steps')).toBeNull()

test('a new shop is told what to do, each step with the way to it', async () => {
  await openSteps(NEW_SHOP)
  const steps = within(await list())
  expect(steps.getByText('0 of 5 steps done')).toBeInTheDocument()
  expect(steps.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/seller/settings',
    '/seller/delivery-zones',
    '/seller/import?starter=yes',
    '/seller/import',
    '/seller/add_product',
    '/',
  ])
})

test('what the shop has already is done, and says so to a screen reader', async () => {
  await openSteps({ ...NEW_SHOP, [SETTINGS]: settings(), [PRODUCTS]: products(12) })
  const steps = within(await list())
  expect(steps.getByText('2 of 5 steps done')).toBeInTheDocument()
  expect(steps.getByRole('heading', { name: 'Name and contact (done)' })).toBeInTheDocument()
  expect(steps.getByRole('heading', { name: 'Your first ten products (done)' })).toBeInTheDocument()
  expect(steps.queryByRole('link', { name: 'Open settings' })).toBeNull()
  expect(steps.getByRole('progressbar')).toHaveAttribute('value', '2')
})

test('a shop that takes cash only can say so, after which the list is complete and gone', async () => {
  const { user } = await openSteps(ALL_DONE)
  await list()
  await user.click(screen.getByRole('button', { name: 'Cash is enough for now' }))
  gone()
})

test('a shop with a wallet has its payment set up', async () => {
  await openSteps(ALL_DONE)
  await list()
  firstData.onlinePayment = ['Khalti']
  await act(() => activateLang('ne'))
  gone()
})

test('the list is closed for good on this device, and undo opens it again', async () => {
  const { user } = await openSteps(NEW_SHOP)
  await list()
  await user.click(screen.getByRole('button', { name: 'Close the list of first steps' }))
  gone()
  expect(localStorage.getItem('first-steps.closed.sita@thunse.example')).toBe('yes')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await list()
  expect(localStorage.getItem('first-steps.closed.sita@thunse.example')).toBeNull()
})

test('only steps that the role allows are shown', async () => {
  await openSteps(NEW_SHOP, ['products.edit', 'products.read', 'orders.read'])
  const steps = within(await list())
  expect(steps.getAllByRole('listitem')).toHaveLength(2)
  expect(steps.queryByRole('link', { name: 'Import a CSV file' })).toBeNull()
})

test('a packer sees no list and asks for no settings', async () => {
  const { requests } = await openSteps(NEW_SHOP, ['orders.read', 'orders.change'])
  await settled()
  gone()
  expect(requests.map(({ path }) => path)).toEqual([
    '/api/product/get_seller_products',
    '/api/order/get_order_counts',
  ])
})

test('without an answer nothing is claimed, and nothing is shown', async () => {
  const { requests } = await openSteps({ ...NEW_SHOP, [SETTINGS]: serverFailed })
  await settled()
  expect(requests.some(({ path }) => path === '/api/shop/get_settings')).toBe(true)
  gone()
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('the overview shows the first steps until there are ten orders', async () => {
  vi.stubGlobal('IntersectionObserver', undefined)
  let count = 9
  mockServer({ ...NEW_SHOP, [COUNTS]: () => orders(count) })
  await renderInShop(<SellerOverviewPage />, { at: '/seller/overview' as never })
  await list()
  count = 10
  await act(() => queryClient.invalidateQueries(orderCounts(false)))
  await settled()
  gone()
})
