import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OrderStops } from '@/features/riders/seller/order-stops'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'

const order = anOrder()
const STOPS = `GET /api/rider/order_stops/${order._id}`
const stop = (id: string, changes: object) => ({
  _id: id,
  at: '2026-11-18T06:00:00Z',
  reason: null,
  note: '',
  proof: null,
  photo: null,
  ...changes,
})

test('the staff see what the rider recorded, with the photo of the delivery', async () => {
  mockServer({
    [STOPS]: ok([
      stop('a', { kind: 'not_met', reason: 'no_answer', note: 'Rang twice.' }),
      stop('b', { kind: 'out' }),
      stop('c', { kind: 'delivered', proof: 'photo', photo: 'p1' }),
    ]),
  })
  await renderInShop(<OrderStops order={{ ...order, rider: { _id: 'r', name: 'Hari' } }} />)
  const section = within(await screen.findByRole('region', { name: 'At the door' }))
  const [missed, out, delivered] = section.getAllByTestId('order-stop')
  expect(missed).toHaveTextContent('Not met: nobody answered the phone Rang twice.')
  expect(out).toHaveTextContent('On the way')
  expect(delivered).toHaveTextContent('Delivered, with a photo')
  expect(section.getByRole('img', { name: 'Photo of the delivery' })).toHaveAttribute(
    'src',
    '/api/rider/photo/p1',
  )
})

test('an order without a rider is not asked about', async () => {
  const carried = { ...order, _id: 'o-9', rider: { _id: 'r', name: 'Hari' } }
  const requests = mockServer({ 'GET /api/rider/order_stops/o-9': ok([]) })
  await renderInShop(
    <>
      <OrderStops order={order} />
      <OrderStops order={carried} />
    </>,
  )
  await waitFor(() => expect(requests).not.toEqual([]))
  expect(requests.map(({ path }) => path)).toEqual(['/api/rider/order_stops/o-9'])
})
