import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MoneyReport } from '@/features/reports/money-api'
import { SellerMoneyPage } from '@/pages/seller/money-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, serverFailed } from '@/test/server'

const REPORT = 'GET /api/order/money_report'
type Table = Parameters<typeof mockServer>[0]

const NONE = { paid: 0, refunded: 0, awaiting: 0, cashToCollect: 0, cashCollected: 0 }
const report = (changes: Partial<MoneyReport> = {}): MoneyReport => ({
  from: '2026-11-14',
  to: '2026-11-15',
  days: [
    { ...NONE, date: '2026-11-14', paid: 1812.2 },
    { ...NONE, date: '2026-11-15', cashToCollect: 12000 },
  ],
  total: { ...NONE, paid: 1812.2, cashToCollect: 12000 },
  riders: [],
  differences: [],
  ...changes,
})

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-14T18:15:00Z') })
  return () => vi.useRealTimers()
})

async function openMoney(answer: Table[string] = ok(report())) {
  mockServer({ [REPORT]: answer })
  const spans: string[] = []
  const fetch = globalThis.fetch
  vi.stubGlobal('fetch', (request: Request) => {
    spans.push(new URL(request.url).search)
    return fetch(request)
  })
  await renderInShop(<SellerMoneyPage />, { at: '/seller/money' })
  return { spans, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) }
}

test('the last seven days, day by day, with totals', async () => {
  const { spans } = await openMoney()
  const table = within(await screen.findByRole('table', { name: 'By day' }))
  expect(spans).toEqual(['?from=2026-11-09&to=2026-11-15'])
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Day',
    'Paid online',
    'Refunded',
    'Awaiting payment',
    'Cash to collect',
    'Cash collected',
  ])
  expect(table.getByRole('row', { name: /14 Nov 2026/ })).toHaveTextContent('Rs. 1812.20')
  expect(table.getByRole('row', { name: /^Total/ })).toHaveTextContent('Rs. 12,000.00')
  expect(screen.getByTestId('total-paid')).toHaveTextContent('Rs. 1812.20')
  expect(screen.getByText(/Our records match the wallet's/)).toBeInTheDocument()
})

test('the cash of each rider and of the till is listed by day', async () => {
  const riders = [
    { date: '2026-11-15', rider: '', collected: 585, handedIn: 0, missing: 0 },
    { date: '2026-11-15', rider: 'Hari', collected: 1170, handedIn: 1150, missing: 20 },
  ]
  await openMoney(ok(report({ riders })))
  const [till, hari] = await screen.findAllByTestId('rider-day')
  expect(till).toHaveTextContent(/Till.*585\.00/)
  // Nothing is a dash for the eye, and a figure for a screen reader.
  const [, , handedIn] = within(till as HTMLElement).getAllByRole('cell')
  expect(handedIn).toHaveTextContent('–Rs. 0.00')
  expect(handedIn).toHaveAccessibleName('Rs. 0.00')
  expect(hari).toHaveTextContent(/Hari.*1170\.00.*1150\.00.*20\.00/)
})

test('the file is of the same days', async () => {
  const { user } = await openMoney()
  const file = screen.getByRole('link', { name: 'Download CSV' })
  expect(file).toHaveAttribute('href', '/api/order/money_report.csv?from=2026-11-09&to=2026-11-15')
  expect(file).toHaveAttribute('download')
  await user.click(screen.getByRole('button', { name: 'Last 30 days' }))
  expect(file).toHaveAttribute('href', '/api/order/money_report.csv?from=2026-10-17&to=2026-11-15')
})

test('other days can be chosen; impossible ones are explained and not asked for', async () => {
  const { spans } = await openMoney()
  await screen.findByRole('table')
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } })
  await waitFor(() => expect(spans.at(-1)).toBe('?from=2026-11-01&to=2026-11-15'))
  const before = spans.length
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-10-01' } })
  expect(screen.getByText('The start date cannot be after the end date.')).toHaveAttribute('role', 'alert')
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-01' } })
  expect(screen.getByText('Please choose at most 92 days.')).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull()
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-09-01' } })
  await waitFor(() => expect(spans.at(-1)).toBe('?from=2026-09-01&to=2026-10-01'))
  expect(spans).toHaveLength(before + 1)
})

test('where the wallet says otherwise is named, with the way to the order', async () => {
  await openMoney(
    ok(
      report({
        differences: [
          {
            order: { _id: 'o-1', orderId: 'TH7K2M' },
            paymentId: 'pay-1',
            ours: 'failed',
            wallet: 'Completed',
            amount: 812.2,
            received: 812.2,
            since: '2026-11-15T05:00:00Z',
          },
        ],
      }),
    ),
  )
  const found = await screen.findByTestId('difference')
  expect(within(found).getByRole('link', { name: '#TH7K2M' })).toHaveAttribute(
    'href',
    '/seller/orders#TH7K2M',
  )
  expect(found).toHaveTextContent('Not paid, Rs. 812.20')
  expect(found).toHaveTextContent('Completed, Rs. 812.20')
})

test('figures that fail to come can be asked for again', async () => {
  let works = false
  const { user } = await openMoney(() => (works ? ok(report()) : serverFailed))
  expect(await screen.findByTestId('toast')).toHaveTextContent('We could not load the figures.')
  works = true
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('table')).toBeInTheDocument()
})
