import { useState } from 'react'
import type { Order } from '@/features/orders/api'

/** Which orders are ticked. Only those that are shown count: nobody changes what they do not see. */
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
