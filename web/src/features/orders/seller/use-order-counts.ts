import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryClient } from '@/api/query-client'
import { ORDER_COUNTS_KEY, orderCounts } from '@/features/orders/seller/order-counts'
import { coalesce } from '@/lib/coalesce'

/** Counting costs more than listing, so the counts are refreshed at most this often. */
const COUNT_MS = 2_000

/** Refetches the counts whenever the list has changed. */
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
    // The first list and the first counts are loaded together.
    if (seen.current > 0 && listUpdatedAt > seen.current) recount.current?.()
    seen.current = listUpdatedAt
  }, [listUpdatedAt])
  return data
}
