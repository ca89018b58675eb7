import en from '@data/messages/web/seller-payments.en.json'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import type { Case, CasePayment } from '@/features/settlement/cases-api'
import { activateLang } from '@/lib/i18n'
import { SellerAttentionPage } from '@/pages/seller/attention-page'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { FakeStream, mockServer, ok, refused, serverFailed } from '@/test/server'

const LIST = 'GET /api/order/get_cases'
const COMPLAINTS = 'GET /api/complaint/get_seller_complaints'
const CHECK = 'POST /api/order/check_payment'
const REFUND = 'POST /api/order/refund_payment'
const CLOSE = 'POST /api/order/close_case'
type Table = Parameters<typeof mockServer>[0]

const aPayment = (changes: Partial<CasePayment> = {}): CasePayment => ({
  _id: 'pay-1',
  pidx: 'P1',
  transactionId: 'T1',
  amount: 812.2,
  received: 800,
  state: 'conflict',
  walletStatus: 'Completed',
  checkedAt: '2026-11-15T06:05:00Z',
  refund: null,
  ...changes,
})

const aCase = (changes: Partial<Case> = {}): Case => ({
  _id: 'case-1',
  kind: 'amount_mismatch',
  openedAt: '2026-11-15T05:00:00Z',
  closedAt: null,
  order: {
    _id: 'o-1',
    orderId: 'TH7K2M',
    status: 'Payment Pending',
    paymentMethod: 'Khalti',
    paymentState: 'conflict',
    total: 812.2,
    name: 'Sita Sharma',
    phone: '9841234567',
  },
  payments: [aPayment()],
  actions: ['check', 'refund', 'close'],
  ...changes,
})

const page = (data: Case[], nextCursor: string | null = null) => ({
  body: { success: true, message: '', data, nextCursor, open: data.length },
})

beforeEach(() => {
  FakeStream.opened = []
  vi.stubGlobal('EventSource', FakeStream)
})
afterEach(() => activateLang('en'))

async function openSeller(table: Table = {}) {
  const requests = mockServer({ [COMPLAINTS]: page([]), [LIST]: page([aCase()]), ...table })
  await renderInShop(<SellerAttentionPage />, { at: '/seller/attention' })
  const sent = (path: string) => requests.filter((each) => each.path.endsWith(path)).map(({ body }) => body)
  return { requests, sent, user: userEvent.setup() }
}

const theCase = async () => within(await screen.findByTestId('case'))

test('a case says what happened, what to do, about which order, and what is known of its payments', async () => {
  await openSeller()
  const shown = await theCase()
  expect(shown.getByRole('heading')).toHaveTextContent('The customer paid a different amount.')
  expect(shown.getByText(/Do not ship the order yet/)).toBeInTheDocument()
  expect(shown.getByRole('link', { name: '#TH7K2M' })).toHaveAttribute('href', '/seller/orders#TH7K2M')
  expect(shown.getByRole('link', { name: '9841234567' })).toHaveAttribute('href', 'tel:+9779841234567')
  const payment = shown.getByTestId('case-payment')
  for (const text of ['Amount differs', 'T1', 'Rs. 812.20', 'Rs. 800.00', 'Completed', '15 Nov 2026, 11:50'])
    expect(payment).toHaveTextContent(text)
})

test('each kind has its two sentences, in both languages', async () => {
  const kinds = Object.keys(en).flatMap((id) => id.match(/^seller\.cases\.advice\.(.+)/)?.[1] ?? [])
  expect(kinds).toHaveLength(16)
  const all = kinds.map((kind, n) => aCase({ _id: `c-${n}`, kind, payments: [] }))
  await openSeller({ [LIST]: page(all) })
  const shown = await screen.findAllByTestId('case')
  for (const [n, each] of shown.entries()) {
    expect(within(each).getByRole('heading')).not.toHaveTextContent(kinds[n] as string)
    expect(each).toHaveTextContent('What to do:')
  }
  await act(() => activateLang('ne'))
  for (const each of screen.getAllByTestId('case'))
    expect(within(each).getByRole('heading').textContent).toMatch(/\p{Script=Devanagari}/u)
})

test('a kind and codes that are newer than the page are shown as they are', async () => {
  await openSeller({
    [LIST]: page([
      aCase({
        kind: 'brand_new',
        payments: [aPayment({ state: 'odd', walletStatus: 'Strange', refund: 'queer' })],
      }),
    ]),
  })
  const shown = await theCase()
  expect(shown.getByRole('heading')).toHaveTextContent('brand_new')
  for (const text of ['odd', 'Strange', 'queer'])
    expect(shown.getByTestId('case-payment')).toHaveTextContent(text)
})

test('checking again asks the wallet, and the list is fetched anew', async () => {
  let works = false
  const { user, sent, requests } = await openSeller({
    [LIST]: () => page(works ? [] : [aCase()]),
    [CHECK]: () => {
      works = true
      return ok(anOrder())
    },
  })
  await user.click((await theCase()).getByRole('button', { name: 'Check again' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('We checked with the wallet.')
  expect(sent('check_payment')).toEqual([{ orderId: 'o-1' }])
  expect(await screen.findByText('All clear')).toBeInTheDocument()
  expect(requests.filter(({ path }) => path.endsWith('get_cases')).length).toBeGreaterThan(1)
})

test('a refund asks first', async () => {
  const { user, sent } = await openSeller({ [REFUND]: ok(anOrder()) })
  const refund = (await theCase()).getByRole('button', { name: 'Refund' })
  await user.click(refund)
  const dialog = within(screen.getByRole('dialog', { name: 'Refund this payment?' }))
  expect(
    dialog.getByText(/refund Rs\. 800\.00 for order #TH7K2M to Sita Sharma's Khalti wallet\./),
  ).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(sent('refund_payment')).toEqual([])
  await user.click(refund)
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Refund' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('The refund is on its way.')
  expect(sent('refund_payment')).toEqual([{ paymentId: 'pay-1' }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['nothing came in', aPayment({ received: null, transactionId: null }), ['refund']],
  ['it pays for the order', aPayment({ state: 'paid', received: 812.2 }), ['refund']],
  ['it is on its way back', aPayment({ refund: 'sent' }), ['refund']],
  ['the server does not offer it', aPayment(), ['check']],
])('nothing can be refunded when %s', async (_why, payment, actions) => {
  await openSeller({ [LIST]: page([aCase({ payments: [payment], actions })]) })
  expect((await theCase()).queryByRole('button', { name: 'Refund' })).toBeNull()
})

test('a refund that failed can be tried again', async () => {
  const failed = aPayment({ state: 'paid_extra', refund: 'manual' })
  await openSeller({ [LIST]: page([aCase({ kind: 'refund_failed', payments: [failed] })]) })
  const shown = await theCase()
  expect(shown.getByTestId('case-payment')).toHaveTextContent('Manual refund')
  expect(shown.getByRole('button', { name: 'Refund' })).toBeEnabled()
})

test('marking as handled takes it from the list', async () => {
  let cases = [aCase()]
  const { user, sent } = await openSeller({
    [LIST]: () => page(cases),
    [CLOSE]: () => {
      cases = []
      return ok({})
    },
  })
  await user.click((await theCase()).getByRole('button', { name: 'Mark as handled' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Marked as handled.')
  expect(sent('close_case')).toEqual([{ caseId: 'case-1' }])
  expect(await screen.findByText('All clear')).toBeInTheDocument()
})

test.each([
  [refused(409, 'not_refundable', 'This payment cannot be refunded.'), 'This payment cannot be refunded.'],
  [serverFailed, 'We could not reach the shop.'],
])('what does not work is told', async (answer, text) => {
  const { user } = await openSeller({ [CLOSE]: answer })
  await user.click((await theCase()).getByRole('button', { name: 'Mark as handled' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  await waitFor(async () =>
    expect((await theCase()).getByRole('button', { name: 'Mark as handled' })).toBeEnabled(),
  )
})

test('handled ones are a press away, and have nothing left to do', async () => {
  const { user } = await openSeller()
  await theCase()
  vi.stubGlobal('fetch', async (request: Request) => {
    const closed = new URL(request.url).searchParams.get('closed') === 'true'
    return Response.json(page(closed ? [aCase({ closedAt: '2026-11-15T06:05:00Z', actions: [] })] : []).body)
  })
  await user.click(screen.getByRole('button', { name: 'Handled' }))
  expect(await screen.findByText('Handled 15 Nov 2026, 11:50')).toBeInTheDocument()
  expect(screen.queryByText('What to do:')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Mark as handled' })).toBeNull()
})

test('a change elsewhere is drawn', async () => {
  let cases = [aCase()]
  await openSeller({ [LIST]: () => page(cases) })
  await theCase()
  await waitFor(() => expect(FakeStream.last().address).toBe('/api/order/live_all'))
  cases = [aCase(), aCase({ _id: 'case-2', kind: 'paid_twice' })]
  act(() => FakeStream.last().say({ _id: 'o-2', orderId: 'OTHER1', status: 'Order Confirmed' }))
  await waitFor(() => expect(screen.getAllByTestId('case')).toHaveLength(2))
})

test('a list that fails says so and can be tried again; an ended session shows the door', async () => {
  let answer: Table[string] = serverFailed
  const { user } = await openSeller({ [LIST]: () => answer as never })
  expect(await screen.findByTestId('toast')).toHaveTextContent('We could not load the cases.')
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
  answer = refused(401, 'signed_out', '')
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
})
