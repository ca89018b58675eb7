import { useEffect, useRef } from 'react'
import type { LiveListOptions } from '@/features/orders/order-events'
import { retryLoad } from '@/lib/retry-load'

/** Keeps the lists up to date while the page is open. */
export function useLiveOrders(live: LiveListOptions) {
  const latest = useRef(live)
  latest.current = live
  const { address } = live
  useEffect(() => {
    let gone = false
    let stop: (() => void) | undefined
    // Loaded after the list, which must not wait for it. If it cannot be loaded, the list is not updated live.
    retryLoad(() => import('@/features/orders/order-events')).then(
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
