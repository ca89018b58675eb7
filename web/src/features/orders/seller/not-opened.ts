import { queryOptions } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import type { Order } from '@/features/orders/api'

/** The new orders that nobody of the staff has opened. A failure shows nothing: the list of orders works without it. */
export const notOpened = queryOptions({
  queryKey: ['seller', 'notOpened'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/order/get_not_opened', { signal })),
})

export const refreshNotOpened = () => void queryClient.invalidateQueries({ queryKey: notOpened.queryKey })

/** The statuses of an order that still has to be packed. */
const WAITING = ['Order Placed', 'Order Confirmed']

/** Tells the server which orders are open on this page; it records the first member of staff who opened each. */
export function useMarkOpened(open: Order[]) {
  const sent = useRef(new Set<string>())
  const fresh = open.filter(({ _id, status }) => WAITING.includes(status) && !sent.current.has(_id))
  const key = fresh.map(({ _id }) => _id).join(' ')
  useEffect(() => {
    const orderIds = key ? key.split(' ') : []
    if (orderIds.length === 0) return
    for (const id of orderIds) sent.current.add(id)
    unwrapData(api.POST('/api/order/mark_opened', { body: { orderIds } })).then(refreshNotOpened, () => {
      // The next change of the page tries again.
      for (const id of orderIds) sent.current.delete(id)
    })
  }, [key])
}
