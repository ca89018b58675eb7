import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryClient } from '@/api/query-client'
import { ORDER_COUNTS_KEY, orderCounts } from '@/features/orders/seller/orders-api'
import { coalesce } from '@/lib/coalesce'

/** Counting is dearer than listing: in a busy hour the figures follow at this pace. */
const COUNT_MS = 2_000

/** The figures follow the list: whenever it has changed, for whichever reason, they are asked for anew. */
export function useOrderCounts(unpaid: boolean, listUpdatedAt: number) {
  const { data } = useQuery(orderCounts(unpaid))
  const recount = useRef<() => void>(undefined)
  useEffect(() => {
    const [call, stop] = coalesce(
      () => queryClient.invalidateQueries({ queryKey: ORDER_COUNTS_KEY }),
      COUNT_MS,
    )
    recount.current = call
    return stop
  }, [])
  const seen = useRef(0)
  useEffect(() => {
    // The first list and the first figures come together.
    if (seen.current > 0 && listUpdatedAt > seen.current) recount.current?.()
    seen.current = listUpdatedAt
  }, [listUpdatedAt])
  return data
}
