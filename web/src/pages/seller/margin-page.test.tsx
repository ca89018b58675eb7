import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MarginReport, MarginSums } from '@/features/reports/margin-api'
import { SellerMarginPage } from '@/pages/seller/margin-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'

const NONE: MarginSums = {
  quantity: 0,
  revenue: 0,
  cost: 0,
  margin: null,
  marginPercent: null,
  quantityWithoutCost: 0,
  revenueWithoutCost: 0,
}
const KNOWN = { ...NONE, quantity: 4, revenue: 1000, cost: 750, margin: 250, marginPercent: 25 }
const UNKNOWN = { ...NONE, quantity: 1, revenue: 100, quantityWithoutCost: 1, revenueWithoutCost: 100 }
const report = (changes: Partial<MarginReport> = {}): MarginReport => ({
  from: '2026-11-14',
  to: '2026-11-15',
  total: { ...KNOWN, quantity: 5, revenue: 1100, quantityWithoutCost: 1, revenueWithoutCost: 100 },
  days: [
    { ...NONE, date: '2026-11-14' },
    { ...KNOWN, date: '2026-11-15' },
  ],
  products: [
    { ...KNOWN, _id: 'p-1', name: 'Rice', nameNe: null },
    { ...UNKNOWN, _id: 'p-2', name: 'Salt', nameNe: null },
    { ...KNOWN, _id: 'p-3', name: 'Oil', nameNe: null, cost: 1050, margin: -50, marginPercent: -5 },
  ],
  ...changes,
})

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-14T18:15:00Z') })
  return () => vi.useRealTimers()
})

async function openMargin(answer = report()) {
  const requests = mockServer({ 'GET /api/order/margin_report': ok(answer) })
  await renderInShop(<SellerMarginPage />, { at: '/seller/margin' })
  return requests
}

test('the margin by day and by product; an unknown cost is called so', async () => {
  await openMargin()
  expect(await screen.findByTestId('total-margin')).toHaveTextContent('Rs. 250.00 25 %')
  expect(screen.getByText(/The cost of 1 sold unit is unknown/)).toHaveTextContent('Rs. 100.00')
  const products = within(screen.getByRole('table', { name: 'By product' }))
  expect(products.getByRole('row', { name: /^Rice/ })).toHaveTextContent('Rs. 750.00Rs. 250.00')
  expect(products.getByRole('row', { name: /^Salt/ })).toHaveTextContent('Rs. 100.00UnknownUnknown')
  expect(products.getByRole('row', { name: /^Oil/ })).toHaveTextContent('−Rs. 50.00')
  const days = within(screen.getByRole('table', { name: 'By day' }))
  expect(days.getByRole('row', { name: /15 Nov 2026/ })).toHaveTextContent('Rs. 250.00')
})

test('the file is of the same days, and more than 31 days are refused', async () => {
  await openMargin()
  const file = screen.getByRole('link', { name: 'Download CSV' })
  expect(file).toHaveAttribute('href', '/api/order/margin_report.csv?from=2026-11-09&to=2026-11-15')
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-10-01' } })
  expect(screen.getByText('Please choose at most 31 days.')).toHaveAttribute('role', 'alert')
  expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull()
})

test('without sales the page says what it will show', async () => {
  await openMargin(report({ total: NONE, products: [] }))
  expect(await screen.findByText('No sales in these days')).toBeInTheDocument()
})
