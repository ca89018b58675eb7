import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { RegisterEntry } from '@/features/billing/seller/register-api'
import { SellerBillsPage } from '@/pages/seller/bills-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, serverFailed } from '@/test/server'

const REGISTER = 'GET /api/billing/get_bill_register'

const entry = (changes: Partial<RegisterEntry> = {}): RegisterEntry => ({
  _id: 'b1',
  kind: 'tax_invoice',
  number: '01-2083/84-000001',
  date: '2026-11-15',
  dateBs: '2083.07.29',
  orderId: 'o1',
  orderCode: 'TH-ABC',
  buyerName: 'Himal Traders',
  buyerPan: '601234567',
  exempt: 25,
  taxable: 1000,
  tax: 130,
  delivery: 20,
  discount: 0,
  total: 1175,
  corrects: '',
  reason: '',
  copies: 2,
  ...changes,
})
const register = (data: RegisterEntry[], nextCursor: string | null = null) => ({
  body: { success: true, message: '', from: '2026-10-17', to: '2026-11-15', data, nextCursor },
})

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-14T18:15:00Z') })
  return () => vi.useRealTimers()
})

async function openBills(answer: Parameters<typeof mockServer>[0][string]) {
  mockServer({ [REGISTER]: answer })
  const queries: string[] = []
  const fetch = globalThis.fetch
  vi.stubGlobal('fetch', (request: Request) => {
    queries.push(new URL(request.url).search)
    return fetch(request)
  })
  await renderInShop(<SellerBillsPage />, { at: '/seller/bills' })
  return { queries, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) }
}

test('bills and credit notes of the last thirty days, with what they correct', async () => {
  const note = entry({
    _id: 'c1',
    kind: 'credit_note',
    number: 'CN-01-2083/84-000001',
    corrects: '01-2083/84-000001',
  })
  const { queries } = await openBills(register([note, entry()]))
  const [first, second] = await screen.findAllByTestId('entry')
  expect(queries).toEqual(['?from=2026-10-17&to=2026-11-15'])
  expect(first).toHaveTextContent('Corrects 01-2083/84-000001')
  expect(second).toHaveTextContent('Tax invoice')
  expect(second).toHaveTextContent('Rs. 45.00')
  expect(second).toHaveTextContent('Rs. 1175.00')
  expect(screen.getAllByRole('link', { name: '01-2083/84-000001' })[0]).toHaveAttribute(
    'href',
    '/api/billing/get_seller_bill_pdf/b1?paper=a4',
  )
})

test('a number is searched as it is typed, and more is loaded on demand', async () => {
  const { queries, user } = await openBills(({ query }) =>
    query?.cursor ? register([entry({ _id: 'a9' })]) : register([entry()], 'b1'),
  )
  await screen.findByTestId('entry')
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(queries.at(-1)).toContain('cursor=b1'))
  await user.type(screen.getByLabelText('Number'), '12')
  await waitFor(() => expect(queries.at(-1)).toContain('number=12'))
})

test('days in the wrong order ask for nothing', async () => {
  const { queries } = await openBills(register([]))
  expect(await screen.findByText('No bills in these days.')).toBeInTheDocument()
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-12-01' } })
  expect(await screen.findByText(/first day/)).toBeInTheDocument()
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-12-02' } })
  await waitFor(() => expect(queries.at(-1)).toBe('?from=2026-12-01&to=2026-12-02'))
  expect(queries).toHaveLength(2)
})

test('a failure is shown with a way to try again', async () => {
  await openBills(serverFailed)
  expect(await screen.findByText('We could not load the bills.')).toBeInTheDocument()
})
