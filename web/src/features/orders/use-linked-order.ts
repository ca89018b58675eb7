import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Order } from '@/features/orders/api'

/** `#<orderId>` behind the address of a list opens that order; when it is not among the newest, it is searched for. */
export function useLinkedOrder(
  orders: Order[] | undefined,
  show: (id: string) => void,
  find: (text: string) => void,
) {
  // The router has decoded it, and leaves nonsense that somebody typed as it stands.
  const linked = useLocation({ select: ({ hash }) => hash })
  const followed = useRef('')
  useEffect(() => {
    if (!linked || !orders || followed.current === linked) return
    followed.current = linked
    if (!orders.some(({ orderId }) => orderId === linked)) find(linked)
    show(linked)
    requestAnimationFrame(() => document.getElementById(linked)?.scrollIntoView({ block: 'nearest' }))
  }, [linked, orders, show, find])
}
