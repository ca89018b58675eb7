import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { SellerStockPage } from '@/pages/seller/stock-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const RICE = { _id: 'p-1', name: 'Rice', nameNe: 'चामल', pack: '5 kg sack', packNe: null }
const product = (id: string, name: string) => ({
  id,
  _id: id,
  name,
  nameNe: null,
  slug: name.toLowerCase(),
  description: '',
  descriptionNe: null,
  category: 'Staples',
  categoryNe: null,
  categorySlug: 'staples',
  price: 250,
  stock: 10,
  rating: 0,
  reviews: 0,
  tags: [],
  tagsNe: [],
  taxClass: 'standard',
  image: null,
  imageSet: null,
  unit: { amount: 5, measure: 'kg', label: '5 kg sack', labelNe: null },
  unitPrice: null,
})
const products = (...found: object[]) => ({
  body: { success: true, message: '', data: found, matches: [], nextCursor: '', total: found.length },
})
const receipt = (changes: object = {}) => ({
  _id: 'r-1',
  supplier: 'Kalimati Traders',
  invoice: 'A-17',
  note: '',
  receivedBy: 'Hari',
  receivedAt: '2026-11-17T04:00:00Z',
  lines: [{ _id: 'l-1', product: RICE, quantity: 10, cost: null, expiresOn: '2027-01-31' }],
  ...changes,
})

const TABLE: Parameters<typeof mockServer>[0] = {
  'GET /api/product/get_products': products(product('p-1', 'Rice')),
  'GET /api/category/get_category_public': ok([
    { _id: 'c-1', name: 'Staples', nameNe: null, slug: 'staples', totalproducts: 1 },
  ]),
  'GET /api/inventory/get_suppliers': ok([
    { _id: 's-1', name: 'Kalimati Traders', phone: '014271234', pan: '', note: '', isArchived: false },
  ]),
  'GET /api/inventory/get_receipts': ok({ receipts: [], nextCursor: null }),
  'GET /api/inventory/get_waste': ok({ records: [], nextCursor: null }),
  'GET /api/inventory/get_expiring_batches': ok({ today: '2026-11-17', batches: [] }),
  'GET /api/inventory/get_counts': ok({ counts: [], nextCursor: null }),
}

const OWNER = ['inventory.record', 'inventory.costs']

async function openPage(
  table: Parameters<typeof mockServer>[0] = {},
  { at = '/seller/stock', permissions = OWNER } = {},
) {
  const requests = mockServer({ ...TABLE, ...table })
  queryClient.setQueryData(sessions.seller.queryKey, { permissions } as never)
  await renderInShop(<SellerStockPage />, { at })
  return {
    user: userEvent.setup(),
    sent: (path: string) => requests.filter((request) => request.path === path && request.method !== 'GET'),
  }
}

async function pickRice(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByRole('searchbox', { name: 'Find a product' }), 'ric')
  await user.click(await screen.findByRole('button', { name: /Rice/ }))
}

test('an empty form teaches what to do', async () => {
  await openPage()
  expect(screen.getByText('What came in?')).toBeInTheDocument()
  expect(await screen.findByText('Nothing has been received yet.')).toBeInTheDocument()
})

test('goods are received with supplier, cost and expiry date', async () => {
  const { user, sent } = await openPage({ 'POST /api/inventory/receive_goods': ok(receipt()) })
  await pickRice(user)
  const line = within(screen.getByTestId('receive-line'))
  expect(line.getByLabelText('Quantity')).toHaveFocus()
  await user.type(line.getByLabelText('Quantity'), '12')
  await user.type(line.getByLabelText('Cost per unit (Rs.)'), '180.5')
  await user.type(line.getByLabelText('Expires on'), '2027-01-31')
  await user.selectOptions(screen.getByLabelText('Supplier'), 'Kalimati Traders')
  await user.type(screen.getByLabelText(/^Bill number/), 'A-17')
  await user.click(screen.getByRole('button', { name: 'Receive 1 product' }))
  await waitFor(() => expect(screen.queryByTestId('receive-line')).toBeNull())
  expect(sent('/api/inventory/receive_goods')).toHaveLength(1)
  expect(sent('/api/inventory/receive_goods')[0]?.body).toEqual({
    _id: expect.any(String),
    supplier: 's-1',
    invoice: 'A-17',
    lines: [{ product: 'p-1', quantity: 12, cost: 180.5, expiresOn: '2027-01-31' }],
  })
})

test('Enter, as a scanner sends it, takes the first product that was found', async () => {
  const { user } = await openPage()
  await user.type(screen.getByRole('searchbox', { name: 'Find a product' }), 'rice')
  await screen.findByRole('button', { name: /Rice/ })
  await user.type(screen.getByRole('searchbox', { name: 'Find a product' }), '{Enter}')
  expect(screen.getByTestId('receive-line')).toHaveTextContent('Rice')
})

test('a request without a response is repeated with the same id, and a corrected one has another', async () => {
  let calls = 0
  const answers = ['no answer', 'refused', 'done']
  const { user, sent } = await openPage({
    'POST /api/inventory/receive_goods': () => {
      const answer = answers[calls++]
      if (answer === 'no answer') return { status: 502, body: {} }
      return answer === 'refused' ? refused(422, 'field_invalid', 'Enter a cost.') : ok(receipt())
    },
  })
  await pickRice(user)
  await user.type(screen.getByLabelText('Quantity'), '1')
  for (const count of [1, 2, 3]) {
    await user.click(screen.getByRole('button', { name: 'Receive 1 product' }))
    await waitFor(() => expect(sent('/api/inventory/receive_goods')).toHaveLength(count))
  }
  const ids = sent('/api/inventory/receive_goods').map(({ body }) => (body as { _id: string })._id)
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[1])
})

test('a packer is not asked for costs and sees none', async () => {
  const { user } = await openPage(
    { 'GET /api/inventory/get_receipts': ok({ receipts: [receipt()], nextCursor: null }) },
    { permissions: ['inventory.record'] },
  )
  await pickRice(user)
  expect(screen.queryByLabelText('Cost per unit (Rs.)')).toBeNull()
  expect(await screen.findByTestId('receipt')).toHaveTextContent('10 × Rice 5 kg sack · expires 31 Jan 2027')
  expect(screen.queryByText('1 cost is missing: enter it')).toBeNull()
})

test('the owner enters a cost that is missing', async () => {
  const { user, sent } = await openPage({
    'GET /api/inventory/get_receipts': ok({ receipts: [receipt()], nextCursor: null }),
    'PUT /api/inventory/set_receipt_costs/r-1': ok(receipt()),
  })
  await user.click(await screen.findByText('1 cost is missing: enter it'))
  await user.type(screen.getByLabelText(/^Rice/), '180')
  await user.click(screen.getByRole('button', { name: 'Save costs' }))
  await waitFor(() =>
    expect(sent('/api/inventory/set_receipt_costs/r-1').map(({ body }) => body)).toEqual([
      { costs: [{ line: 'l-1', cost: 180 }] },
    ]),
  )
})

test('one press writes off what is left of an expired batch', async () => {
  const batch = { _id: 'l-1', product: RICE, received: 10, left: 4, expiresOn: '2026-11-16', daysLeft: -1 }
  const { user, sent } = await openPage(
    {
      'GET /api/inventory/get_expiring_batches': ok({
        today: '2026-11-17',
        batches: [batch, { ...batch, _id: 'l-2', expiresOn: '2026-11-17', daysLeft: 0 }],
      }),
      'POST /api/inventory/record_waste': ok({}),
    },
    { at: '/seller/stock?tab=waste' },
  )
  const rows = await screen.findAllByTestId('batch')
  expect(rows.map((row) => row.dataset.state)).toEqual(['expired', 'today'])
  expect(rows[0]).toHaveTextContent('Expired on 16 Nov 2026')
  await user.click(within(rows[0] as HTMLElement).getByRole('button', { name: 'Write off 4 of Rice' }))
  await waitFor(() => expect(sent('/api/inventory/record_waste')).toHaveLength(1))
  expect(sent('/api/inventory/record_waste')[0]?.body).toEqual({
    _id: expect.any(String),
    product: 'p-1',
    quantity: 4,
    reason: 'expired',
    batch: 'l-1',
  })
})

test('other losses are written off with a reason; a refusal says how many are left', async () => {
  const { user, sent } = await openPage(
    {
      'POST /api/inventory/record_waste': refused(
        409,
        'not_enough_stock',
        'There are only 3 left to write off.',
      ),
    },
    { at: '/seller/stock?tab=waste' },
  )
  await pickRice(user)
  await user.clear(screen.getByLabelText('Quantity'))
  await user.type(screen.getByLabelText('Quantity'), '5')
  await user.click(screen.getByRole('radio', { name: 'Damaged' }))
  await user.click(screen.getAllByRole('button', { name: 'Write off' }).at(-1) as HTMLElement)
  expect(await screen.findByText('There are only 3 left to write off.')).toBeInTheDocument()
  expect(sent('/api/inventory/record_waste')[0]?.body).toMatchObject({ quantity: 5, reason: 'damaged' })
  expect(screen.getByTestId('waste-product')).toHaveTextContent('Rice')
})

const COUNT = {
  _id: 'n-1',
  category: 'c-1',
  state: 'open',
  startedBy: 'Sita',
  startedAt: '2026-11-17T04:00:00Z',
  finishedAt: null,
  counted: 0,
}
const LINE = {
  product: 'p-1',
  counted: 8,
  expected: 10,
  reserved: 2,
  difference: -2,
  applied: null,
  countedAt: '2026-11-17T04:05:00Z',
}

test('a count starts with a category', async () => {
  const { user, sent } = await openPage(
    {
      'POST /api/inventory/start_count': ok({ count: COUNT, lines: [], products: [] }),
      'GET /api/inventory/get_count/n-1': ok({ count: COUNT, lines: [], products: [] }),
    },
    { at: '/seller/stock?tab=count' },
  )
  expect(await screen.findByText('No counts yet')).toBeInTheDocument()
  await user.selectOptions(await screen.findByLabelText('What do you count?'), 'Staples')
  await user.click(screen.getByRole('button', { name: 'Start counting' }))
  expect(await screen.findByRole('heading', { name: 'Count: Staples' })).toBeInTheDocument()
  expect(sent('/api/inventory/start_count')[0]?.body).toEqual({ _id: expect.any(String), category: 'c-1' })
})

test('the difference appears only after counting, and the count is applied after a question', async () => {
  const { user, sent } = await openPage(
    {
      'GET /api/inventory/get_count/n-1': ok({ count: COUNT, lines: [], products: [] }),
      'POST /api/inventory/record_count/n-1': ok(LINE),
      'POST /api/inventory/apply_count/n-1': ok({
        count: { ...COUNT, state: 'applied' },
        lines: [{ ...LINE, applied: -2 }],
        products: [RICE],
      }),
    },
    { at: '/seller/stock?tab=count&count=n-1' },
  )
  const row = within(await screen.findByTestId('count-row'))
  expect(screen.queryByText(/expected/)).toBeNull()
  expect(screen.getByRole('button', { name: 'Apply to the stock' })).toBeDisabled()
  await user.type(row.getByRole('spinbutton', { name: 'Units of Rice' }), '8{Enter}')
  expect(await row.findByText(/2 missing, 10 expected/)).toHaveTextContent('(2 of them for orders)')
  expect(sent('/api/inventory/record_count/n-1')[0]?.body).toEqual({
    _id: expect.any(String),
    product: 'p-1',
    counted: 8,
  })
  expect(screen.getByText('1 product counted, 1 different')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Apply to the stock' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('The stock of 1 product changes by its difference.')).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Apply to the stock' }))
  await waitFor(() => expect(sent('/api/inventory/apply_count/n-1')).toHaveLength(1))
})

test('an applied count lists what differed, and what could not be taken away', async () => {
  const lines = [{ ...LINE, difference: -7, counted: 3, reserved: 0, applied: -5 }]
  await openPage(
    {
      'GET /api/inventory/get_count/n-1': ok({
        count: { ...COUNT, state: 'applied', counted: 1 },
        lines,
        products: [RICE],
      }),
    },
    { at: '/seller/stock?tab=count&count=n-1' },
  )
  const line = await screen.findByTestId('difference')
  expect(line).toHaveTextContent('Rice 5 kg sack −7')
  expect(line).toHaveTextContent('2 more were sold meanwhile than there are.')
})

test('a supplier is added, and an empty name is explained', async () => {
  vi.spyOn(crypto, 'randomUUID').mockReturnValue('0190a0a0-0000-7000-8000-000000000001')
  const saved: unknown[] = []
  const { user } = await openPage(
    {
      'GET /api/inventory/get_suppliers': ok([]),
      'PUT /api/inventory/save_supplier/0190a0a0-0000-7000-8000-000000000001': ({ body }) => {
        saved.push((body as { name: string }).name)
        return ok({})
      },
    },
    { at: '/seller/stock?tab=suppliers' },
  )
  expect(await screen.findByText('No suppliers yet')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Save supplier' }))
  expect(screen.getByText("Enter the supplier's name.")).toBeInTheDocument()
  await user.type(screen.getByLabelText('Name'), 'Asan Stores')
  await user.click(screen.getByRole('button', { name: 'Save supplier' }))
  await waitFor(() => expect(saved).toEqual(['Asan Stores']))
})

test('an existing supplier is changed under its own id', async () => {
  const { user, sent } = await openPage(
    { 'PUT /api/inventory/save_supplier/s-1': ok({}) },
    { at: '/seller/stock?tab=suppliers' },
  )
  await user.click(await screen.findByRole('button', { name: 'Edit Kalimati Traders' }))
  await user.click(screen.getByLabelText('Do not offer it any more'))
  await user.click(screen.getByRole('button', { name: 'Save supplier' }))
  await waitFor(() =>
    expect(sent('/api/inventory/save_supplier/s-1').map(({ body }) => body)).toEqual([
      { name: 'Kalimati Traders', phone: '014271234', pan: '', note: '', isArchived: true },
    ]),
  )
})
