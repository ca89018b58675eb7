import { queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, api, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { upload } from '@/api/upload'
import { myDeliveries, type RiderDelivery } from '@/features/orders/seller/deliveries-api'
import { createQueue, type QueueEntry, type QueueSender, type StopEvent } from '@/features/riders/queue'
import { queueStorage, storedStops, storeStops } from '@/features/riders/storage'
import { createStore } from '@/lib/store'

/** What was recorded and is not confirmed yet, oldest first. */
export const recorded = createStore<QueueEntry[]>([])

const sender: QueueSender = {
  photo: ({ photo: id, orderId }, photo) => {
    const form = new FormData()
    form.append('id', id ?? '')
    form.append('order', orderId)
    form.append('photo', photo, 'photo.jpg')
    return upload('POST', '/api/rider/add_photo', form)
  },
  events: async (events) => (await unwrapData(api.POST('/api/rider/sync', { body: { events } }))).results,
}

let queue: ReturnType<typeof createQueue> | undefined

function openQueue() {
  queue ??= createQueue(queueStorage(), sender, (entries) => {
    const hasSent = entries.length < recorded.read().length
    recorded.set(entries)
    if (hasSent) void refresh()
  })
  return queue
}

const OWN_CASH_KEY = ['seller', 'my-cash']

/** Loads the stops and the rider's cash again. */
export async function refresh() {
  await queryClient.invalidateQueries({ queryKey: myDeliveries.queryKey })
  await queryClient.invalidateQueries({ queryKey: OWN_CASH_KEY })
}

/** The stops of the rider; without a connection, those that were loaded last. */
export const stops = queryOptions({
  ...myDeliveries,
  networkMode: 'always',
  queryFn: async (context): Promise<RiderDelivery[]> => {
    try {
      const load = myDeliveries.queryFn as (given: typeof context) => Promise<RiderDelivery[]>
      const list = await load(context)
      await storeStops(list)
      return list
    } catch (error) {
      const stored = error instanceof ApiError ? undefined : await storedStops<RiderDelivery[]>()
      if (stored) return stored
      throw error
    }
  },
})

export const ownCash = queryOptions({
  queryKey: OWN_CASH_KEY,
  queryFn: () => unwrapData(api.GET('/api/cash/get_my_cash')),
  meta: { failed: 'seller.deliveries.failed', error: 'seller.deliveries.failed' },
})

type Recorded = Omit<StopEvent, 'id' | 'at' | 'items' | 'note'> & Partial<Pick<StopEvent, 'items' | 'note'>>

/** Resolves once it is stored on the phone; it is sent as soon as there is a connection. */
export const recordStop = (event: Recorded, photo?: Blob) =>
  openQueue().add({ ...event, id: crypto.randomUUID(), at: new Date().toISOString() }, photo)

export const dismissRefusal = (entry: QueueEntry) => openQueue().dismiss(entry)

/** Sends what waits: when the page opens, when the connection is back and when the rider comes back to the page. */
export function useStopSync() {
  useEffect(() => {
    const send = () => void openQueue().sync()
    send()
    window.addEventListener('online', send)
    document.addEventListener('visibilitychange', send)
    return () => {
      window.removeEventListener('online', send)
      document.removeEventListener('visibilitychange', send)
    }
  }, [])
}
