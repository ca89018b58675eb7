import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { BillDocument, OrderBills as Bills } from '@/features/billing/api'
import { OrderBills } from '@/features/billing/order-bills'
import { SellerOrderBills } from '@/features/billing/seller/order-bills'
import { anOrder as order } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'
import { settled } from '@/test/settled'

const OWN = 'GET /api/billing/get_order_bills'
const SELLER = 'GET /api/billing/get_seller_order_bills'

const bill = (changes: Partial<BillDocument> = {}): BillDocument => ({
  _id: 'b1',
  kind: 'tax_invoice',
  number: '01-2083/84-000001',
  date: '2026-11-18',
  dateBs: '2083.08.02',
  total: 1155,
  copies: 1,
  ...changes,
})
const bills = (changes: Partial<Bills> = {}): Bills => ({
  documents: [],
  buyerName: '',
  buyerPan: '',
  canChangeBuyer: false,
  ...changes,
})

test('an order links to its bill and its credit note', async () => {
  const note = bill({ _id: 'c1', kind: 'credit_note', number: 'CN-01-2083/84-000001' })
  mockServer({ [OWN]: ok(bills({ documents: [bill(), note] })) })
  await renderInShop(<OrderBills order={order()} />)
  expect(await screen.findByRole('link', { name: 'Tax invoice' })).toHaveAttribute(
    'href',
    '/api/billing/get_bill_pdf/b1',
  )
  expect(screen.getByRole('link', { name: 'Credit note' })).toBeInTheDocument()
  expect(screen.queryByRole('button')).toBeNull()
})

test('until there is a bill the shopper gives a name and a PAN', async () => {
  const requests = mockServer({
    [OWN]: ok(bills({ canChangeBuyer: true })),
    'POST /api/billing/set_bill_buyer': ok(bills({ canChangeBuyer: true })),
  })
  await renderInShop(<OrderBills order={order()} />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Need a bill with a PAN?' }))
  await user.type(screen.getByLabelText('Company or name'), 'Himal Traders')
  await user.type(screen.getByLabelText('PAN'), '12')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByLabelText('PAN')).toHaveAccessibleDescription(/Enter a PAN with nine digits/)
  await user.clear(screen.getByLabelText('PAN'))
  await user.type(screen.getByLabelText('PAN'), '६०१ २३४ ५६७')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('The bill will have these details.')
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
    orderId: order()._id,
    name: 'Himal Traders',
    pan: '601234567',
  })
})

test('an order without a bill, and too late for wishes, shows nothing', async () => {
  const requests = mockServer({ [OWN]: ok(bills()) })
  const { container } = await renderInShop(<OrderBills order={order()} />)
  await settled()
  expect(requests).toHaveLength(1)
  expect(container.querySelector('.order-bills')).toBeNull()
})

test('the seller sees how often a bill was printed, and credits lines of it', async () => {
  const lines = [
    { position: 1, name: 'Rice', nameNe: 'चामल', quantity: 2, credited: 1, amount: 1000, exempt: false },
    { position: 2, name: 'Salt', nameNe: null, quantity: 1, credited: 1, amount: 25, exempt: true },
  ]
  const requests = mockServer({
    [SELLER]: ok(bills({ documents: [bill({ lines, copies: 2 }), bill({ _id: 'b2', copies: 0 })] })),
    'POST /api/billing/credit_bill': ok(bills()),
  })
  await renderInShop(<SellerOrderBills order={order()} />)
  const user = userEvent.setup()
  const [first, second] = await screen.findAllByTestId('bill')
  expect(first).toHaveTextContent('Printed 2 times')
  expect(first).toHaveTextContent('Copy of original, A4')
  expect(second).toHaveTextContent('Not printed yet')
  await user.click(screen.getByRole('button', { name: 'Issue a credit note' }))
  expect(screen.queryByLabelText('Salt')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Issue the credit note' }))
  expect(screen.getByText('Choose at least one unit.')).toBeInTheDocument()
  await user.selectOptions(screen.getByLabelText('Rice'), '1')
  await user.type(screen.getByLabelText('Reason'), 'The bag was torn')
  await user.click(screen.getByRole('button', { name: 'Issue the credit note' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('The credit note was issued.')
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
    billId: 'b1',
    lines: [{ position: 1, quantity: 1 }],
    reason: 'The bag was torn',
  })
})

test('a refused credit note says why', async () => {
  const lines = [
    { position: 1, name: 'Rice', nameNe: null, quantity: 1, credited: 0, amount: 500, exempt: false },
  ]
  mockServer({
    [SELLER]: ok(bills({ documents: [bill({ lines })] })),
    'POST /api/billing/credit_bill': refused(
      400,
      'credit_invalid',
      'Choose what the credit note takes back.',
    ),
  })
  await renderInShop(<SellerOrderBills order={order()} />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Issue a credit note' }))
  await user.selectOptions(screen.getByLabelText('Rice'), '1')
  await user.type(screen.getByLabelText('Reason'), 'x')
  await user.click(screen.getByRole('button', { name: 'Issue the credit note' }))
  expect((await screen.findAllByText('Choose what the credit note takes back.'))[0]).toBeInTheDocument()
})
