import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import type { Complaint } from '@/features/complaints/api'
import { OrderComplaints } from '@/features/complaints/order-complaints'
import { daysLeft } from '@/features/complaints/seller/api'
import { ComplaintList } from '@/features/complaints/seller/complaint-list'
import { SellerComplaintPage } from '@/pages/seller/complaint-page'
import { ComplaintPage } from '@/pages/storefront/complaint-page'
import { anOrder, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, refused } from '@/test/server'

const aComplaint = (changes: Partial<Complaint> = {}): Complaint => ({
  _id: 'c-1',
  code: 'K7M2Q9XT',
  order: 'o-1',
  orderId: 'TH7K2M',
  orderStatus: 'Delivered',
  reason: 'damaged',
  remedy: 'refund',
  text: 'The bag is torn.',
  state: 'open',
  outcomeText: '',
  createdAt: '2026-11-15T08:20:00Z',
  dueAt: '2026-11-22T08:20:00Z',
  decidedAt: null,
  items: [{ product: 'p-1', name: 'Rice', nameNe: 'चामल', quantity: 2 }],
  photos: ['/api/complaint/photo/ph-1'],
  messages: [{ _id: 'm-1', from: 'shop', text: 'Sorry!', createdAt: '2026-11-15T09:20:00Z' }],
  ...changes,
})
const OPEN = 'POST /api/complaint/open_complaint'
const OF_ORDER = 'GET /api/complaint/get_complaints'

beforeEach(() => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
})
afterEach(() => vi.restoreAllMocks())

async function report(answer: Parameters<typeof mockServer>[0][string] = ok({ _id: 'c-1' })) {
  const requests = mockServer({ [OF_ORDER]: ok([]), [OPEN]: answer })
  const order = anOrder()
  await renderInShop(<OrderComplaints order={order} />, { at: '/orders' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Report a problem' }))
  return { requests, user, order, form: within(screen.getByRole('dialog')) }
}

test('a problem is reported with products, quantity, photos and a remedy', async () => {
  const { requests, user, order, form } = await report()
  const [item] = order.items
  if (!item) throw new Error('The order has no item.')
  await user.click(form.getByRole('radio', { name: 'Missing' }))
  await user.click(form.getByRole('checkbox', { name: item.name }))
  if (item.quantity > 1) await user.selectOptions(form.getByLabelText(`How many of ${item.name}?`), '1')
  await user.type(form.getByLabelText('What happened?'), ' One was missing. ')
  const photo = new File(['x'], 'bag.png', { type: 'image/png' })
  await user.upload(form.getByLabelText(/Photos, up to 4/), photo)
  expect(form.getByAltText('Photo 1')).toBeInTheDocument()
  await user.click(form.getByRole('radio', { name: 'A replacement' }))
  await user.click(form.getByRole('button', { name: 'Send' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('We will answer within 7 days.')
  const sent = requests.find(({ path }) => path.endsWith('open_complaint'))
  const data = lastFormData(sent ? [sent] : [])
  expect(data.get('order')).toBe(order._id)
  expect([data.get('reason'), data.get('remedy'), data.get('text')]).toEqual([
    'missing',
    'replacement',
    'One was missing.',
  ])
  expect(JSON.parse(String(data.get('items')))).toEqual([{ product: item._id, quantity: 1 }])
  expect(data.get('photo1')).toBeInstanceOf(Blob)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('what is missing is said before anything is sent, and a late order needs no product', async () => {
  const { requests, user, form } = await report()
  await user.click(form.getByRole('button', { name: 'Send' }))
  expect(form.getByText('Choose the products that the problem is about.')).toBeInTheDocument()
  expect(form.getByText('Please write what happened.')).toBeInTheDocument()
  await user.click(form.getByRole('radio', { name: 'Late' }))
  expect(form.queryByText('Which products?')).not.toBeInTheDocument()
  await user.type(form.getByLabelText('What happened?'), 'Where is it?')
  expect(requests.filter(({ path }) => path.endsWith('open_complaint'))).toEqual([])
  await user.click(form.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(requests.some(({ path }) => path.endsWith('open_complaint'))).toBe(true))
})

test('a refused complaint says why and keeps what was typed', async () => {
  const message = 'There are already several complaints about this order. Please write in one of them.'
  const { user, form } = await report(refused(409, 'too_many_complaints', message))
  await user.click(form.getByRole('radio', { name: 'Late' }))
  await user.type(form.getByLabelText('What happened?'), 'Again.')
  await user.click(form.getByRole('button', { name: 'Send' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent(message)
  expect(form.getByLabelText('What happened?')).toHaveValue('Again.')
})

test('an order lists its complaints with their deadline', async () => {
  mockServer({ [OF_ORDER]: ok([aComplaint()]) })
  await renderInShop(<OrderComplaints order={anOrder()} />, { at: '/orders' })
  expect(await screen.findByRole('link', { name: 'Damaged' })).toHaveAttribute('href', '/complaints/c-1')
  expect(screen.getByText('We will answer by 22 Nov 2026.')).toBeInTheDocument()
})

test('the page of a complaint shows the conversation and takes an answer', async () => {
  queryClient.setQueryData(sessions.user.queryKey, aUser() as never)
  const answered = aComplaint({
    messages: [
      ...aComplaint().messages,
      { _id: 'm-2', from: 'shopper', text: 'Thanks.', createdAt: '2026-11-15T10:20:00Z' },
    ],
  })
  const requests = mockServer({
    'GET /api/complaint/get_complaint/c-1': ok(aComplaint()),
    'POST /api/complaint/add_message': ok(answered),
  })
  await renderInShop(<ComplaintPage />, { at: '/complaints/c-1' })
  expect(await screen.findByRole('heading', { name: 'Complaint: Damaged' })).toBeInTheDocument()
  const [first, second] = screen.getAllByTestId('complaint-message')
  expect(first).toHaveTextContent('You15 Nov 2026, 14:052 × RiceThe bag is torn.')
  expect(within(first as HTMLElement).getByAltText('Photo 1')).toHaveAttribute(
    'src',
    '/api/complaint/photo/ph-1?small=true',
  )
  expect(second).toHaveTextContent('The shop')
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Your message'), 'Thanks.')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.getAllByTestId('complaint-message')).toHaveLength(3))
  expect(requests.at(-1)?.body).toEqual({ _id: 'c-1', text: 'Thanks.' })
})

test('a decided complaint shows the outcome', async () => {
  queryClient.setQueryData(sessions.user.queryKey, aUser() as never)
  const decided = aComplaint({
    state: 'partly',
    outcomeText: 'We refund one bag.',
    decidedAt: '2026-11-16T08:20:00Z',
  })
  mockServer({ 'GET /api/complaint/get_complaint/c-1': ok(decided) })
  await renderInShop(<ComplaintPage />, { at: '/complaints/c-1' })
  expect(await screen.findByText('We refund one bag.')).toBeInTheDocument()
  expect(screen.getAllByText('Partly accepted')).toHaveLength(2)
  expect(screen.queryByText(/We will answer by/)).not.toBeInTheDocument()
})

test('a visitor is asked to log in', async () => {
  queryClient.setQueryData(sessions.user.queryKey, null as never)
  mockServer({})
  await renderInShop(<ComplaintPage />, { at: '/complaints/c-1' })
  expect(await screen.findByText('Please log in to see this complaint')).toBeInTheDocument()
})

test.each([
  ['2026-11-22T08:20:00Z', 3],
  ['2026-11-20T08:20:00Z', 0],
  ['2026-11-18T08:20:00Z', -2],
])('%s is %i days away', (dueAt, days) => {
  expect(daysLeft(dueAt, Date.parse('2026-11-19T20:00:00Z'))).toBe(days)
})

test('the seller sees open complaints with the days that are left', async () => {
  const soon = new Date(Date.now() + 3.5 * 24 * 60 * 60 * 1000).toISOString()
  const late = new Date(Date.now() - 1.5 * 24 * 60 * 60 * 1000).toISOString()
  const rows = [
    aComplaint({ customer: 'Asha Rai', dueAt: late }),
    aComplaint({ _id: 'c-2', customer: '', dueAt: soon }),
  ]
  mockServer({
    'GET /api/complaint/get_seller_complaints': {
      body: { success: true, message: '', data: rows, nextCursor: null, open: 2 },
    },
  })
  await renderInShop(<ComplaintList closed={false} />, { at: '/seller/attention' })
  const [first, second] = await screen.findAllByTestId('seller-complaint')
  expect(first).toHaveTextContent('Damaged#TH7K2MAsha Rai2 days overdue')
  expect(second).toHaveTextContent('Account deleted4 days left')
})

async function openAsSeller(table: Parameters<typeof mockServer>[0] = {}) {
  const found = aComplaint({ customer: 'Asha Rai', phone: '9801234567' })
  const requests = mockServer({ 'GET /api/complaint/get_seller_complaint/c-1': ok(found), ...table })
  await renderInShop(<SellerComplaintPage />, { at: '/seller/complaints/c-1' })
  await screen.findByRole('heading', { name: 'Complaint: Damaged' })
  return { requests, user: userEvent.setup() }
}

test('the seller answers, and the order with its refund is one press away', async () => {
  const { requests, user } = await openAsSeller({ 'POST /api/complaint/answer': ok(aComplaint()) })
  expect(screen.getByRole('link', { name: 'Open order #TH7K2M' })).toHaveAttribute(
    'href',
    '/seller/orders#TH7K2M',
  )
  expect(screen.getByText('My money back')).toBeInTheDocument()
  await user.type(screen.getByLabelText('Write to the customer'), 'Sorry!')
  await user.click(screen.getByRole('button', { name: 'Send answer' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Message sent.')
  expect(requests.find(({ path }) => path.endsWith('answer'))?.body).toEqual({ _id: 'c-1', text: 'Sorry!' })
})

test('a decision needs an explanation', async () => {
  const decided = aComplaint({ state: 'refused', outcomeText: 'Used.', decidedAt: '2026-11-16T08:20:00Z' })
  const { requests, user } = await openAsSeller({ 'POST /api/complaint/decide': ok(decided) })
  await user.click(screen.getByRole('radio', { name: 'Not accepted' }))
  await user.click(screen.getByRole('button', { name: 'Decide' }))
  expect(screen.getByText('Please write an explanation.')).toBeInTheDocument()
  await user.type(screen.getByLabelText('Explanation for the customer'), 'Used.')
  await user.click(screen.getByRole('button', { name: 'Decide' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Decision sent to the customer.')
  expect(requests.find(({ path }) => path.endsWith('decide'))?.body).toEqual({
    _id: 'c-1',
    outcome: 'refused',
    text: 'Used.',
  })
})
