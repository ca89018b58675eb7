import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { orderSound } from '@/features/alerts/sound'
import { NewOrderAlert } from '@/features/orders/seller/new-order-alert'
import { SELLER_STREAM } from '@/features/orders/seller-stream'
import { deviceLocked } from '@/features/staff/session-guard'
import { loadMessages } from '@/lib/i18n'
import { renderInShop } from '@/test/render-in-shop'
import { FakeStream, mockServer, ok } from '@/test/server'

let tones = 0
let gesture = true

/** Plays nothing and counts; it stays suspended until a press, as browsers want it. */
class FakeAudio {
  state = 'suspended'
  currentTime = 0
  destination = {}
  async resume() {
    if (gesture) this.state = 'running'
  }
  createOscillator() {
    tones += 1
    return {
      frequency: { value: 0 },
      connect: () => ({ connect: () => {} }),
      start: () => {},
      stop: () => {},
    }
  }
  createGain() {
    return { gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} } }
  }
}

beforeEach(async () => {
  vi.stubGlobal('EventSource', FakeStream)
  vi.stubGlobal('AudioContext', FakeAudio)
  FakeStream.opened = []
  tones = 0
  gesture = true
  document.title = 'Products | Thunse'
  await loadMessages('features/orders/seller/new-order-alert')
})
afterEach(() => {
  deviceLocked.set(false)
  localStorage.clear()
  queryClient.clear()
})

const waiting = (count: number) => ok({ count, orders: [] })
const placed = { _id: 'o-1', orderId: 'TH7K2M', status: 'Order Placed', placed: true }

test('a new order rings once sound is on, and the title shows how many nobody has opened', async () => {
  let count = 0
  mockServer({ 'GET /api/order/get_not_opened': () => waiting(count) })
  await renderInShop(<NewOrderAlert />, { at: '/seller/orders' })
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on sound' }))
  // It rings as a sample, and the offer is gone.
  expect(tones).toBe(2)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Turn on sound' })).toBeNull())

  count = 2
  act(() => FakeStream.last().say(placed))

  await waitFor(() => expect(document.title).toBe('(2) Products | Thunse'))
  expect(tones).toBe(4)
  count = 0
  act(() => FakeStream.last().say({ ...placed, placed: false }))
  await waitFor(() => expect(document.title).toBe('Products | Thunse'))
  expect(tones).toBe(4)
})

test('the question about the sound is on the orders page only', async () => {
  mockServer({ 'GET /api/order/get_not_opened': waiting(2) })
  await renderInShop(<NewOrderAlert />, { at: '/seller/coupons' })

  await waitFor(() => expect(document.title).toBe('(2) Products | Thunse'))
  expect(screen.queryByRole('button', { name: 'Turn on sound' })).toBeNull()
})

test('the stream stays open in a background tab', async () => {
  mockServer({ 'GET /api/order/get_not_opened': waiting(0) })
  await renderInShop(<NewOrderAlert />, { at: '/seller' })
  act(() => FakeStream.last().open())
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(FakeStream.last().address).toBe(SELLER_STREAM)
  expect(FakeStream.last().closed).toBe(false)
  hidden.mockRestore()
})

test('a locked device rings and counts, and neither asks for orders nor shows anything about them', async () => {
  const requests = mockServer({ 'GET /api/order/get_not_opened': waiting(1) })
  await renderInShop(<NewOrderAlert />, { at: '/seller' })
  await waitFor(() => expect(document.title).toBe('(1) Products | Thunse'))
  await act(() => orderSound.turnOn())
  const [rung, asked] = [tones, requests.length]

  act(() => deviceLocked.set(true))
  act(() => FakeStream.last().say(placed))

  await waitFor(() => expect(document.title).toBe('(2) Products | Thunse'))
  expect(tones).toBe(rung + 2)
  expect(requests).toHaveLength(asked)
  expect(document.body).not.toHaveTextContent('TH7K2M')
})
