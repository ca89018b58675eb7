import { useState } from 'react'
import type { Order } from '@/features/orders/api'

/** The selected orders. Only visible orders count, so that the seller never changes an order that is not shown. */
export function useSelection(orders: Order[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const chosen = orders.filter(({ _id }) => ticked.has(_id))
  return {
    chosen,
    has: (id: string) => ticked.has(id),
    all: orders.length > 0 && chosen.length === orders.length,
    toggle: (id: string) =>
      setTicked((known) => {
        const next = new Set(known)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    only: (ids: string[]) => setTicked(new Set(ids)),
  }
}
