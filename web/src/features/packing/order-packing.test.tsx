import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { OrderPacking } from '@/features/packing/order-packing'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'

const PACKING = {
  packedAt: '2026-11-17T04:00:00Z',
  adjustments: [
    {
      product: 'rice',
      name: 'Rice',
      nameNe: null,
      ordered: 2,
      packed: 1,
      reason: 'not_available',
      replacement: {
        product: 'basmati',
        name: 'Basmati',
        nameNe: null,
        packLabel: null,
        packLabelNe: null,
        quantity: 1,
        price: 500,
      },
    },
  ],
  weights: [
    { product: 'potatoes', name: 'Potatoes', nameNe: null, grams: 1620, expectedGrams: 1500, amount: 145.8 },
  ],
  orderedTotal: 1150,
  subtotal: 500,
  tax: 65,
  shippingFee: 20,
  discount: 0,
  total: 585,
  refund: 565,
  agreedBy: 'order',
}

beforeEach(() => queryClient.clear())

test('the shopper sees ordered against packed, and what goes back', async () => {
  const order = anOrder({ amountDue: 585 })
  mockServer({ [`GET /api/packing/get_packing/${order._id}`]: ok({ packing: PACKING, question: null }) })
  await renderInShop(<OrderPacking order={order} />)

  const packed = await screen.findByTestId('packed')
  expect(packed).toHaveTextContent('Rice1 of 2 packed · Not available')
  expect(packed).toHaveTextContent('Instead: 1 × Basmati')
  expect(packed).toHaveTextContent('1.62 kg packed, about 1.5 kg ordered: Rs. 145.80')
  expect(packed).toHaveTextContent('565')
})

test('the shopper accepts a higher price', async () => {
  const order = anOrder({ status: 'Order Confirmed' })
  const question = { _id: 'q', total: 1300, accepted: null, lines: [] }
  const requests = mockServer({
    [`GET /api/packing/get_packing/${order._id}`]: ok({ packing: null, question }),
    'POST /api/packing/answer_question': ok({ packing: null, question: null }),
  })
  await renderInShop(<OrderPacking order={order} />)
  await userEvent.setup().click(await screen.findByRole('button', { name: /Yes, pay/ }))

  expect(await screen.findByTestId('toast')).toHaveTextContent('We will pack it like that.')
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
    orderId: order._id,
    questionId: 'q',
    accepted: true,
  })
})
