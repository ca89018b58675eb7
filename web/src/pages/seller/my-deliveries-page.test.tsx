import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { RiderDelivery } from '@/features/orders/seller/deliveries-api'
import { MyDeliveriesPage } from '@/pages/seller/my-deliveries-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'

const delivery = (id: string, changes: Partial<RiderDelivery> = {}): RiderDelivery => ({
  _id: id,
  orderId: 'K7M2Q9XTRB',
  status: 'Order Shipped',
  deliveryDate: '2026-11-18',
  name: 'Asha Rai',
  phone: '9801234567',
  address: 'Mitra Marg, Kathmandu',
  municipality: 'Kathmandu',
  ward: '5',
  landmark: 'behind the school',
  cashToCollect: 585,
  items: [{ name: 'Rice', nameNe: 'चामल', quantity: 2 }],
  ...changes,
})

test('a rider sees where to, what and how much cash, and says when it is on its way', async () => {
  let status = 'Order Shipped'
  const requests = mockServer({
    'GET /api/order/get_my_deliveries': () =>
      ok([delivery('a', { status }), delivery('b', { cashToCollect: 0, status: 'Out for Delivery' })]),
    'PUT /api/order/update_my_delivery': () => {
      status = 'Out for Delivery'
      return ok(delivery('a', { status }))
    },
  })
  await renderInShop(<MyDeliveriesPage />, { at: '/seller/deliveries' })
  const user = userEvent.setup()
  const [first, second] = (await screen.findAllByTestId('delivery')) as [HTMLElement, HTMLElement]
  expect(first).toHaveTextContent('Mitra Marg, Kathmandu (behind the school)')
  expect(first).toHaveTextContent('2 × Rice')
  expect(within(first).getByTestId('cash')).toHaveTextContent('585')
  expect(within(first).getByRole('link', { name: /Call/ })).toHaveAttribute(
    'href',
    expect.stringContaining('tel:'),
  )
  expect(within(second).getByTestId('cash')).toHaveTextContent('Already paid')
  await user.click(within(first).getByRole('button', { name: 'Out for Delivery' }))
  expect(await screen.findByTestId('toast')).toBeInTheDocument()
  expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
    orderId: 'a',
    status: 'Out for Delivery',
  })
})

test('without deliveries the page says so', async () => {
  mockServer({ 'GET /api/order/get_my_deliveries': ok([]) })
  await renderInShop(<MyDeliveriesPage />, { at: '/seller/deliveries' })
  expect(await screen.findByText('Nothing to deliver')).toBeInTheDocument()
})
