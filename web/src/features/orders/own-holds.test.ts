import { expect, test, vi } from 'vitest'
import { fetchHolds, holdsOf } from '@/features/orders/own-holds'
import { withHolds } from '@/features/orders/use-own-holds'
import { anOrder, aProduct } from '@/test/fixtures'

const unpaid = anOrder({ status: 'Payment Pending', paymentState: 'awaiting', canPay: true })

test('all unpaid orders together hold what each of them holds', () => {
  expect(holdsOf([])).toEqual(new Map())
  expect(holdsOf([unpaid, { ...unpaid, items: unpaid.items.slice(0, 1) }])).toEqual(
    new Map([
      ['p-oil', 4],
      ['p-tea', 1],
    ]),
  )
})

test.each([
  ['whose payment failed: its goods are back in stock', { status: 'Payment Failed', paymentState: 'failed' }],
  ['that the shop has confirmed unpaid: it gives way to none', { status: 'Order Confirmed' }],
  ['that was replaced already', { status: 'Cancelled', canPay: false }],
  ['that was paid', { status: 'Order Confirmed', paymentState: 'paid', canPay: false }],
  ['paid in cash', { status: 'Order Placed', paymentState: 'cod_due', canPay: false }],
])('nothing is counted of an order %s', (_what, changes) => {
  expect(holdsOf([{ ...unpaid, ...changes }])).toEqual(new Map())
})

test('only a few of the newest orders are fetched', async () => {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(new URL(request.url).search)
    return Response.json({ success: true, message: '', data: [unpaid], nextCursor: null })
  })
  expect((await fetchHolds()).get('p-oil')).toBe(2)
  expect(requests).toEqual(['?limit=5'])
})

test('own goods are added to the stock, and told of only where they are needed', () => {
  const line = (quantity: number, stock: number) => ({
    id: 'p-oil',
    quantity,
    product: aProduct({ id: 'p-oil', stock }),
  })
  const oil = new Map([['p-oil', 2]])
  const looked = (quantity: number, stock: number) => {
    const { lines, used } = withHolds([line(quantity, stock)], oil)
    return [lines[0]?.product?.stock, used]
  }
  expect(looked(2, 0)).toEqual([2, true])
  expect(looked(9, 1)).toEqual([3, true])
  expect(looked(1, 1)).toEqual([3, false])
})

test('a line that is not sold, not known yet or not held stays as it is', () => {
  const lines = [
    { id: 'p-oil', quantity: 1, product: null },
    { id: 'p-tea', quantity: 1, product: undefined },
    { id: 'p-rice', quantity: 1, product: aProduct({ id: 'p-rice', stock: 0 }) },
  ]
  const holds = new Map([
    ['p-oil', 1],
    ['p-tea', 1],
  ])
  expect(withHolds(lines, holds)).toEqual({ lines, used: false })
})
