import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { myOrders, Order } from '@/features/orders/api'
import { useStatusText } from '@/features/orders/status'
import { useT } from '@/lib/i18n'
import { announce } from '@/ui/announcer'

type ListQuery = ReturnType<typeof myOrders>

/** A list of orders page by page. While a new search loads, the old list stays. */
export function useOrderList(options: ListQuery, enabled: boolean) {
  const query = useInfiniteQuery({ ...options, enabled, placeholderData: keepPreviousData })
  const orders = query.data?.pages.flatMap((page) => page.data)
  useAnnounceChanges(orders)
  return { query, orders }
}

/** Announces changes of an order to screen readers, however the page learned of them. */
function useAnnounceChanges(orders: Order[] | undefined) {
  const t = useT()
  const text = useStatusText()
  const known = useRef(new Map<string, string>())
  useEffect(() => {
    for (const { _id, orderId, status } of orders ?? []) {
      const before = known.current.get(_id)
      known.current.set(_id, status)
      if (before !== undefined && before !== status)
        announce(t('orders.changed', { id: orderId, status: text(status) }))
    }
  }, [orders, t, text])
}

/** The ids of the opened cards. */
export function useOpenCards() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  return {
    isOpen: (id: string) => open.has(id),
    show: (id: string) => setOpen((known) => new Set(known).add(id)),
    toggle: (id: string) =>
      setOpen((known) => {
        const next = new Set(known)
        if (!next.delete(id)) next.add(id)
        return next
      }),
  }
}
