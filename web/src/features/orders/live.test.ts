import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followOrders, type LiveOrder } from '@/features/orders/live'
import { FakeStream } from '@/test/server'

const stream = FakeStream.last
let heard: LiveOrder[] = []
let looks = 0
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeStream)
  FakeStream.opened = []
  heard = []
  looks = 0
  stop = followOrders({
    address: '/api/order/live',
    onOrder: (order) => heard.push(order),
    look: () => looks++,
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('changes are heard as they come', () => {
  stream().open()
  stream().say({ _id: 'o-1', orderId: 'TH7K2M', status: 'Delivered' })
  expect(heard).toEqual([{ _id: 'o-1', orderId: 'TH7K2M', status: 'Delivered' }])
})

test('one cut is mended by the stream itself; whenever it begins, one looks for what it missed', () => {
  stream().open()
  expect(looks).toBe(1)
  stream().fail()
  expect(FakeStream.opened).toHaveLength(1)
  stream().open()
  expect(looks).toBe(2)
})

test('a refused stream is opened again', () => {
  stream().fail(true)
  vi.advanceTimersByTime(2_100)
  expect(FakeStream.opened).toHaveLength(2)
})

test('after two failures in a row it looks every ten seconds, and tries the stream again every minute', () => {
  stream().fail()
  stream().fail()
  expect(stream().closed).toBe(true)
  expect(looks).toBe(1)
  vi.advanceTimersByTime(30_500)
  expect(looks).toBe(4)
  expect(FakeStream.opened).toHaveLength(1)
  vi.advanceTimersByTime(30_000)
  expect(FakeStream.opened).toHaveLength(2)
  stream().open()
  const then = looks
  vi.advanceTimersByTime(60_000)
  expect(looks).toBe(then)
})

test('a hidden tab holds no line, and looks when it is shown again', () => {
  stream().open()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(stream().closed).toBe(true)
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(FakeStream.opened).toHaveLength(2)
  stream().open()
  expect(looks).toBe(2)
})

test('a page that is left leaves nothing running', () => {
  stream().fail()
  stream().fail()
  stop()
  const then = looks
  vi.advanceTimersByTime(120_000)
  expect(looks).toBe(then)
  expect(FakeStream.opened).toHaveLength(1)
})
