import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Order } from '@/features/orders/api'
import { allOrders } from '@/features/orders/seller/orders-api'
import { useWide } from '@/lib/use-wide'
import { useSearchParams } from '@/ui/use-search-params'

const rowOf = (id: string) => document.getElementById(id)

/**
 * The order that is open beside the list. Its number is in the address (`?order=`), so that a reload shows it again and
 * going back closes it. On narrow screens orders open in their cards, and there is no panel.
 */
export function useOrderPanel(orders: Order[] | undefined) {
  const router = useRouter()
  const wide = useWide()
  const [read, write] = useSearchParams()
  const linked = read('order')
  const id = wide ? linked : ''
  const index = orders?.findIndex(({ orderId }) => orderId === id) ?? -1
  const { order, isMissing } = useShownOrder(id, orders?.[index], orders !== undefined)

  /** The list becomes narrower or wider; the row in question stays where it is on the screen. */
  const anchor = useRef<{ id: string; top: number } | null>(null)
  const holdRow = (row: string) => {
    const top = rowOf(row)?.getBoundingClientRect().top
    anchor.current = top === undefined ? null : { id: row, top }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes its width with the panel
  useLayoutEffect(() => {
    const at = anchor.current
    anchor.current = null
    const top = at && rowOf(at.id)?.getBoundingClientRect().top
    if (at && typeof top === 'number') window.scrollBy(0, top - at.top)
  }, [id === ''])

  /** The address of the list before the panel opened, to which closing it returns. */
  const openedFrom = useRef('')
  /** Where the order was in the list, for when it has left it. */
  const place = useRef(0)
  if (index >= 0) place.current = index

  /** Shows an order, and changes the filter of the list where that is given. */
  const open = (next: string, filter: Record<string, string> = {}) => {
    if (!id) {
      openedFrom.current = router.latestLocation.href
      holdRow(next)
    }
    write({ ...filter, order: next }, !id)
  }
  const close = () => {
    holdRow(id)
    const { searchStr, pathname, hash } = router.latestLocation
    const params = new URLSearchParams(searchStr)
    params.delete('order')
    const search = params.size > 0 ? `?${params}` : ''
    // A filter that was changed meanwhile must stay, so the entry before is only used if it has the same.
    if (openedFrom.current === `${pathname}${search}${hash ? `#${hash}` : ''}`) router.history.back()
    else write({ order: '' })
    openedFrom.current = ''
  }

  const at = (by: 1 | -1) => {
    // If the order has left the list, the next one has moved up to its position.
    const target = index >= 0 ? index + by : by > 0 ? place.current : place.current - 1
    return orders?.[target]
  }
  const step = (by: 1 | -1) => {
    const next = at(by)
    if (!next) return
    write({ order: next.orderId })
    rowOf(next.orderId)?.scrollIntoView({ block: 'nearest' })
  }

  // The focus was in the panel, which is gone now.
  const shown = useRef('')
  useEffect(() => {
    const before = shown.current
    shown.current = id
    if (id || !before || document.activeElement !== document.body) return
    const row = rowOf(before) ?? document.querySelectorAll('.orders .order')[place.current]
    row?.querySelector<HTMLElement>('.order-head')?.focus()
  }, [id])

  return {
    wide,
    /** The number in the address, which a narrow screen opens in its card. */
    linked,
    id,
    order,
    isMissing,
    open,
    close,
    step,
    hasNext: at(1) !== undefined,
    hasPrevious: at(-1) !== undefined,
  }
}

/** The order of the panel: from the list, or fetched by its number if the list does not have it. */
function useShownOrder(id: string, listed: Order | undefined, isListLoaded: boolean) {
  const last = useRef<Order | undefined>(undefined)
  if (listed) last.current = listed
  const query = useInfiniteQuery({
    ...allOrders({ search: id, status: '', unpaid: true }),
    enabled: id !== '' && !listed && isListLoaded,
  })
  const found = query.data?.pages.flatMap(({ data }) => data).find(({ orderId }) => orderId === id)
  const previous = last.current?.orderId === id ? last.current : undefined
  const order = listed ?? found ?? previous
  return { order, isMissing: id !== '' && !order && query.isFetched && !query.isFetching }
}
