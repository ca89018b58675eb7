import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '@/api/client'
import {
  createQueue,
  type QueueEntry,
  type QueueSender,
  type QueueStorage,
  type StopEvent,
} from '@/features/riders/queue'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The phone's database, which outlives the page. */
function phone(): QueueStorage & { stored: Map<number, QueueEntry> } {
  const stored = new Map<number, QueueEntry>()
  return {
    stored,
    all: async () => [...stored.values()].reverse(),
    put: async (entry) => void stored.set(entry.seq, structuredClone(entry)),
    remove: async (seq) => void stored.delete(seq),
  }
}

/** A server that applies each event once, behind a connection that loses every second request or response. */
function server() {
  const applied: string[] = []
  const photos: string[] = []
  let calls = 0
  const refusals: Record<string, string> = {}
  const lossy = <T>(work: () => T): Promise<T> => {
    calls += 1
    const way = calls % 4
    if (way === 1) return Promise.reject(new TypeError('the request was lost'))
    const answer = work()
    return way === 3 ? Promise.reject(new TypeError('the response was lost')) : Promise.resolve(answer)
  }
  const sender: QueueSender = {
    photo: (event) => lossy(() => void (photos.includes(event.id) || photos.push(event.id))),
    events: (events) =>
      lossy(() =>
        events.map(({ id }) => {
          const message = refusals[id] ?? ''
          if (!message && !applied.includes(id)) applied.push(id)
          return { id, ok: !message, code: message && 'not_yours', message }
        }),
      ),
  }
  return { applied, photos, refusals, sender, calls: () => calls }
}

const stop = (n: number): StopEvent => ({
  id: `event-${n}`,
  orderId: `order-${n}`,
  kind: 'delivered',
  at: '2026-11-18T06:00:00Z',
  code: '1234',
})
const ids = (count: number) => Array.from({ length: count }, (_, n) => `event-${n}`)

/** Lets every retry that is scheduled within an hour happen. */
const wait = () => vi.advanceTimersByTimeAsync(3_600_000)

test('thirty stops recorded offline arrive once each, in their order, though half of the connections fail', async () => {
  const [disk, shop] = [phone(), server()]
  let online = false
  const offline: QueueSender = {
    photo: (event, photo) =>
      online ? shop.sender.photo(event, photo) : Promise.reject(new TypeError('offline')),
    events: (events) => (online ? shop.sender.events(events) : Promise.reject(new TypeError('offline'))),
  }
  let queue = createQueue(disk, offline, () => {})
  for (let n = 0; n < 30; n++) {
    await queue.add(stop(n), n % 10 === 0 ? new Blob(['door']) : undefined)
    // The page is closed and opened again after every seventh stop.
    if (n % 7 === 6) {
      queue.stop()
      queue = createQueue(disk, offline, () => {})
    }
  }
  await wait()
  expect(disk.stored.size).toBe(30)
  expect(shop.applied).toEqual([])

  online = true
  await queue.sync()
  await wait()
  expect(shop.applied).toEqual(ids(30))
  expect(shop.photos).toEqual(['event-0', 'event-10', 'event-20'])
  expect(disk.stored.size).toBe(0)
  expect(shop.calls()).toBeGreaterThan(5)
})

test('a page that is closed while it sends loses and doubles nothing', async () => {
  const [disk, shop] = [phone(), server()]
  for (let n = 0; n < 8; n++) {
    const queue = createQueue(disk, shop.sender, () => {})
    await queue.add(stop(n))
    queue.stop()
  }
  const queue = createQueue(disk, shop.sender, () => {})
  void queue.sync()
  await wait()
  expect(shop.applied.toSorted()).toEqual(ids(8))
  expect(disk.stored.size).toBe(0)
})

test('a refusal stays until the rider has read it and does not hold up the others', async () => {
  const [disk, shop] = [phone(), server()]
  shop.refusals['event-1'] = 'This order is no longer yours.'
  let shown: QueueEntry[] = []
  const queue = createQueue(disk, shop.sender, (entries) => {
    shown = entries
  })
  for (let n = 0; n < 3; n++) await queue.add(stop(n))
  await wait()
  expect(shop.applied).toEqual(['event-0', 'event-2'])
  expect(shown.map(({ event, refusal }) => [event.id, refusal])).toEqual([
    ['event-1', 'This order is no longer yours.'],
  ])
  await queue.dismiss(shown[0] as QueueEntry)
  expect([shown, disk.stored.size]).toEqual([[], 0])
})

test('an event that the server cannot read does not block the queue, and a login decides nothing', async () => {
  const disk = phone()
  const applied: string[] = []
  let signedIn = false
  const sender: QueueSender = {
    photo: async () => {},
    events: async (events) => {
      if (!signedIn) throw new ApiError('signed_out', 401, 'Please sign in.')
      if (events.some(({ id }) => id === 'event-0'))
        throw new ApiError('event_malformed', 422, 'Cannot be read.')
      applied.push(...events.map(({ id }) => id))
      return events.map(({ id }) => ({ id, ok: true, code: '', message: '' }))
    },
  }
  let shown: QueueEntry[] = []
  const queue = createQueue(disk, sender, (entries) => {
    shown = entries
  })
  for (let n = 0; n < 3; n++) await queue.add(stop(n))
  await wait()
  expect([applied, shown.length]).toEqual([[], 3])
  signedIn = true
  await wait()
  expect(applied).toEqual(['event-1', 'event-2'])
  expect(shown.map(({ refusal }) => refusal)).toEqual(['Cannot be read.'])
})
