import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { RiderDelivery } from '@/features/orders/seller/deliveries-api'
import { MyDeliveriesPage } from '@/pages/seller/my-deliveries-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'
import { holdTime, pass } from '@/test/time'

const delivery = (id: string, changes: Partial<RiderDelivery> = {}): RiderDelivery => ({
  _id: id,
  orderId: 'K7M2Q9XTRB',
  status: 'Order Shipped',
  deliveryDate: '2026-11-18',
  deliveryWindow: { starts: '07:00', ends: '09:00', hasPlace: true },
  name: 'Asha Rai',
  phone: '9801234567',
  address: 'Mitra Marg, Kathmandu',
  municipality: 'Kathmandu',
  ward: '5',
  landmark: 'behind the school',
  noteRider: 'Ring twice.',
  cashToCollect: 585,
  items: [{ _id: 'rice', name: 'Rice', nameNe: 'चामल', quantity: 2 }],
  ...changes,
})

afterEach(() => vi.restoreAllMocks())

type Sent = { events: { id: string; orderId: string; kind: string }[] }

const CASH = ok({ balance: 1170, float: 500, closedAt: null })
const applied = ({ body }: { body: unknown }) =>
  ok({ results: (body as Sent).events.map(({ id }) => ({ id, ok: true, code: '', message: '' })) })

const open = async (stop: RiderDelivery, answers: Parameters<typeof mockServer>[0]) => {
  const requests = mockServer({
    'GET /api/order/get_my_deliveries': ok([stop]),
    'GET /api/cash/get_my_cash': CASH,
    ...answers,
  })
  await renderInShop(<MyDeliveriesPage />, { at: '/seller/deliveries' })
  const card = within(await screen.findByTestId('delivery'))
  const sent = () =>
    requests.filter(({ path }) => path === '/api/rider/sync').flatMap(({ body }) => (body as Sent).events)
  return { requests, user: userEvent.setup(), card, sent }
}

test('a rider sees where to, what and how much cash, and says when it is on its way', async () => {
  const { user, card, sent } = await open(delivery('a'), { 'POST /api/rider/sync': applied })
  expect(screen.getByTestId('delivery')).toHaveTextContent('Mitra Marg, Kathmandu (behind the school)')
  expect(screen.getByTestId('delivery')).toHaveTextContent(/07:00–09:00.*Ring twice.*2 × Rice/)
  expect(card.getByTestId('cash')).toHaveTextContent('585')
  expect(card.getByRole('link', { name: /Call/ })).toHaveAttribute('href', expect.stringContaining('tel:'))
  expect(card.getByRole('link', { name: 'Map' })).toHaveAttribute('href', expect.stringContaining('Mitra'))
  expect(await screen.findByTestId('own-cash')).toHaveTextContent(/1170.*500/)
  await user.click(card.getByRole('button', { name: 'Out for Delivery' }))
  await waitFor(() => expect(sent()).toMatchObject([{ orderId: 'a', kind: 'out' }]))
})

test('a delivery is recorded with the code and the cash', async () => {
  const { user, card, sent } = await open(delivery('b', { status: 'Out for Delivery' }), {
    'POST /api/rider/sync': applied,
  })
  await user.click(card.getByRole('button', { name: 'Deliver' }))
  await user.clear(card.getByLabelText(/Cash collected/))
  await user.type(card.getByLabelText(/Cash collected/), '500')
  await user.type(card.getByLabelText("Customer's code"), '१२३४')
  await user.click(card.getByRole('button', { name: 'Delivered' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ orderId: 'b', kind: 'delivered', code: '1234', collected: 500 })
  await waitFor(() => expect(screen.queryByTestId('waiting')).not.toBeInTheDocument())
})

test('a customer pays with the wallet at the door, and nothing is left to collect', async () => {
  holdTime()
  let paid = false
  const stop = delivery('e', { status: 'Out for Delivery' })
  const { user, card, requests } = await open(stop, {
    'GET /api/order/get_my_deliveries': () => ok([{ ...stop, cashToCollect: paid ? 0 : 585 }]),
    'POST /api/rider/pay_at_door': ok({ cashToCollect: 585, paymentUrl: 'https://pay.example/?pidx=1' }),
    'POST /api/rider/check_door_payment': () => ok({ cashToCollect: paid ? 0 : 585, paymentUrl: null }),
  })
  await user.click(card.getByRole('button', { name: 'Pay with the wallet (QR)' }))
  expect(await card.findByRole('img', { name: 'QR code of the payment page' })).toBeInTheDocument()
  expect(card.getByTestId('wallet')).toHaveTextContent(/pays Rs\. 585.*Waiting for the payment/)
  expect(requests.find(({ path }) => path === '/api/rider/pay_at_door')?.body).toEqual({ orderId: 'e' })
  paid = true
  await pass(4_000)
  await waitFor(() => expect(card.getByTestId('cash')).toHaveTextContent('Already paid'))
  expect(card.queryByTestId('wallet')).not.toBeInTheDocument()
  expect(card.queryByRole('button', { name: /wallet/ })).not.toBeInTheDocument()
})

test('without a connection the wallet cannot be offered, and the button says so', async () => {
  const { card } = await open(delivery('f', { status: 'Out for Delivery' }), {})
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(card.getByRole('button', { name: 'Pay with the wallet: needs a connection' })).toBeDisabled()
})

test('without a connection it waits on the phone and is sent when the connection is back', async () => {
  let online = false
  const { user, card, sent } = await open(delivery('c', { status: 'Out for Delivery', cashToCollect: 0 }), {
    'POST /api/rider/sync': (request) => {
      if (!online) throw new TypeError('no network')
      return applied(request)
    },
  })
  expect(card.getByTestId('cash')).toHaveTextContent('Already paid')
  await user.click(card.getByRole('button', { name: 'Not met' }))
  await user.selectOptions(card.getByLabelText('What happened?'), 'Nobody answered the phone')
  await user.click(card.getAllByRole('button', { name: 'Not met' })[1] as HTMLElement)
  expect(await card.findByTestId('waiting')).toHaveTextContent('Not met: waiting to send')
  expect(screen.getByTestId('sync')).toHaveTextContent('1 entry is waiting to send')
  expect(card.queryByRole('button', { name: 'Deliver' })).not.toBeInTheDocument()
  online = true
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(screen.queryByTestId('waiting')).not.toBeInTheDocument())
  const events = sent()
  expect(events.at(-1)).toMatchObject({ orderId: 'c', kind: 'not_met', reason: 'no_answer' })
  expect(new Set(events.map(({ id }) => id)).size).toBe(1)
})

test('a refusal is shown until the rider has read it', async () => {
  const { user, card } = await open(delivery('d', { status: 'Out for Delivery' }), {
    'POST /api/rider/sync': ({ body }) =>
      ok({
        results: (body as Sent).events.map(({ id }) => ({
          id,
          ok: false,
          code: 'not_yours',
          message: 'This order is no longer assigned to you.',
        })),
      }),
  })
  await user.click(card.getByRole('button', { name: 'Goods came back' }))
  await user.selectOptions(card.getByLabelText('Rice'), '1')
  await user.click(card.getAllByRole('button', { name: 'Goods came back' })[1] as HTMLElement)
  expect(await card.findByTestId('refused')).toHaveTextContent('This order is no longer assigned to you.')
  await user.click(card.getByRole('button', { name: 'I have read it' }))
  await waitFor(() => expect(card.queryByTestId('refused')).not.toBeInTheDocument())
})

test('without deliveries the page says so', async () => {
  mockServer({ 'GET /api/order/get_my_deliveries': ok([]), 'GET /api/cash/get_my_cash': CASH })
  await renderInShop(<MyDeliveriesPage />, { at: '/seller/deliveries' })
  expect(await screen.findByText('Nothing to deliver')).toBeInTheDocument()
})
