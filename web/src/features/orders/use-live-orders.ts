import { useEffect, useRef } from 'react'
import type { LiveListOptions } from '@/features/orders/order-events'

/** Keeps the lists true while the page is open. */
export function useLiveOrders(live: LiveListOptions) {
  const latest = useRef(live)
  latest.current = live
  const { address } = live
  useEffect(() => {
    let gone = false
    let stop: (() => void) | undefined
    // After the list, which must not wait for it. Where it cannot be fetched, the list is simply not live.
    void import('@/features/orders/order-events').then(
      ({ syncOrderLists }) => {
        if (!gone) stop = syncOrderLists(address, () => latest.current)
      },
      () => {},
    )
    return () => {
      gone = true
      stop?.()
    }
  }, [address])
}
