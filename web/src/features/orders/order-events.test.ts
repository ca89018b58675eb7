import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { type OrderEvent, subscribeToOrders, syncOrderLists } from '@/features/orders/order-events'
import { FakeStream } from '@/test/server'

const stream = FakeStream.last
let heard: OrderEvent[] = []
let refetches = 0
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeStream)
  FakeStream.opened = []
  heard = []
  refetches = 0
  stop = subscribeToOrders({
    address: '/api/order/live',
    onOrder: (order) => heard.push(order),
    refetch: () => refetches++,
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
  expect(refetches).toBe(1)
  stream().fail()
  expect(FakeStream.opened).toHaveLength(1)
  stream().open()
  expect(refetches).toBe(2)
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
  expect(refetches).toBe(1)
  vi.advanceTimersByTime(30_500)
  expect(refetches).toBe(4)
  expect(FakeStream.opened).toHaveLength(1)
  vi.advanceTimersByTime(30_000)
  expect(FakeStream.opened).toHaveLength(2)
  stream().open()
  const then = refetches
  vi.advanceTimersByTime(60_000)
  expect(refetches).toBe(then)
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
  expect(refetches).toBe(2)
})

test('a page that is left leaves nothing running', () => {
  stream().fail()
  stream().fail()
  stop()
  const then = refetches
  vi.advanceTimersByTime(120_000)
  expect(refetches).toBe(then)
  expect(FakeStream.opened).toHaveLength(1)
})

test('many changes at once fetch the lists at once and once more, without cutting a fetch off', async () => {
  let fetched = 0
  let cut = 0
  const list = new QueryObserver(queryClient, {
    queryKey: ['seller', 'orders'],
    queryFn: async ({ signal }) => {
      fetched += 1
      signal.onabort = () => cut++
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { pages: [{ data: [] }] }
    },
  })
  const unsubscribe = list.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(400)
  const stopLists = syncOrderLists('/api/order/live_all', () => ({
    address: '/api/order/live_all',
    lists: ['seller', 'orders'],
    newest: async () => ({ data: [] }),
    onFailed: () => {},
  }))
  const change = { _id: 'o-1', orderId: 'TH7K2M', status: 'Delivered' }
  for (let i = 0; i < 10; i++) stream().say(change)
  expect(fetched).toBe(2)
  await vi.advanceTimersByTimeAsync(100)
  stream().say(change)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(fetched).toBe(3)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([fetched, cut]).toEqual([3, 0])
  stopLists()
  unsubscribe()
})

test('a fetch that began before the change is followed by another', async () => {
  let fetched = 0
  const list = new QueryObserver(queryClient, {
    queryKey: ['person', 'orders'],
    queryFn: async () => {
      fetched += 1
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { pages: [{ data: [] }] }
    },
  })
  const unsubscribe = list.subscribe(() => {})
  const stopLists = syncOrderLists('/api/order/live', () => ({
    address: '/api/order/live',
    lists: ['person', 'orders'],
    newest: async () => ({ data: [] }),
    onFailed: () => {},
  }))
  stream().say({ _id: 'o-1', orderId: 'TH7K2M', status: 'Delivered' })
  expect(fetched).toBe(1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(fetched).toBe(2)
  stopLists()
  unsubscribe()
})
