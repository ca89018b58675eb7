import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Order } from '@/features/orders/api'

/** Opens the order of `#<orderId>` in the address, or `given`; if it is not among the newest, the list searches for it. */
export function useLinkedOrder(
  orders: Order[] | undefined,
  show: (id: string) => void,
  find: (text: string) => void,
  given = '',
) {
  // The router has decoded the hash, and leaves invalid encodings as they are.
  const hash = useLocation({ select: (location) => location.hash })
  const linked = hash || given
  const followed = useRef('')
  useEffect(() => {
    if (!linked || !orders || followed.current === linked) return
    followed.current = linked
    if (!orders.some(({ orderId }) => orderId === linked)) find(linked)
    show(linked)
    requestAnimationFrame(() => document.getElementById(linked)?.scrollIntoView({ block: 'nearest' }))
  }, [linked, orders, show, find])
}
