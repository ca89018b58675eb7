import { useEffect, useRef } from 'react'
import type { Order } from '@/features/orders/api'
import { STATUSES } from '@/features/orders/status'
import { createStore } from '@/lib/store'
import { openDialogs } from '@/ui/toast'

const STORAGE_KEY = 'keyboard-shortcuts'

function readEnabled(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

const on = createStore(readEnabled())

/** Single-key shortcuts interfere with speech input, so they can be switched off permanently. */
export const keyboardShortcuts = {
  use: on.use,
  set(next: boolean) {
    on.set(next)
    try {
      localStorage.setItem(STORAGE_KEY, next ? 'on' : 'off')
    } catch {
      // Private windows may refuse storage; the setting then lasts until the page is left.
    }
  },
}

type ShortcutActions = {
  select: (order: Order) => void
  /** Opens the order and puts the focus on its status. */
  goToStatus: (order: Order) => void
  setStatus: (order: Order, status: string) => void
  help: () => void
  /** Shows the next or the previous order in the panel; null while no panel is open. */
  step: ((by: 1 | -1) => void) | null
}

const head = (orderId: string) =>
  document.getElementById(orderId)?.querySelector<HTMLElement>('button[aria-expanded]')

/** The number of the order whose card or panel holds the element. */
const orderAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-order]')?.dataset.order : undefined

/** In a text field every key is text; a checkbox does not count. */
export function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox'
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName)
}

/**
 * Keyboard navigation through the orders. The position survives the order that was there, so that the seller can
 * continue from it; only the focused order is changed, because only that one is visibly meant.
 */
export function useKeyboardShortcuts(orders: Order[], actions: ShortcutActions) {
  const enabled = on.use()
  const place = useRef<{ id: string; index: number } | null>(null)
  const latest = useRef({ orders, actions })
  latest.current = { orders, actions }

  /** Whether the focus was last in that order; a seller who pressed elsewhere is not moved back. */
  const inside = useRef(false)

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const id = orderAt(target)
      const index = latest.current.orders.findIndex(({ orderId }) => orderId === id)
      inside.current = index >= 0
      if (id && index >= 0) place.current = { id, index }
    }
    const onPress = ({ target }: PointerEvent) => {
      if (!orderAt(target)) inside.current = false
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [])

  // When the focused order leaves the list, because its status no longer matches, the next one takes the focus.
  useEffect(() => {
    const at = place.current
    if (!at || orders.some(({ orderId }) => orderId === at.id)) return
    const next = orders[Math.min(at.index, orders.length - 1)]
    if (next && inside.current && document.activeElement === document.body) head(next.orderId)?.focus()
  }, [orders])

  useEffect(() => {
    if (!enabled) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (typing(event.target) || openDialogs.read().length > 0) return
      if (act(event)) event.preventDefault()
    }

    const act = ({ key, target, repeat }: KeyboardEvent): boolean => {
      const { orders: list, actions: can } = latest.current
      const { id, index } = place.current ?? { id: '', index: 0 }
      const at = list.findIndex(({ orderId }) => orderId === id)
      const go = (index: number) => {
        const order = list[index]
        if (!order) return false
        head(order.orderId)?.focus()
        return true
      }
      if (key === '?') {
        can.help()
        return true
      }
      if (can.step && (key === 'j' || key === 'k')) {
        can.step(key === 'j' ? 1 : -1)
        return true
      }
      // Arrow keys scroll the page, except on the head of an order.
      const onHead = target instanceof Element && target.matches('.order-head')
      if (key === 'j' || (onHead && key === 'ArrowDown'))
        // If the order has left the list, the next one has moved up to its position.
        return go(at < 0 ? Math.min(index, list.length - 1) : at + 1)
      if (key === 'k' || (onHead && key === 'ArrowUp')) return go(Math.max((at < 0 ? index : at) - 1, 0))
      const focused = orderAt(target)
      const order = list.find(({ orderId }) => orderId === focused)
      if (!order || repeat) return false
      if (key === 'x') can.select(order)
      else if (key === 's') can.goToStatus(order)
      else {
        const status = STATUSES[Number(key) - 1]
        if (!status) return false
        can.setStatus(order, status)
      }
      return true
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [enabled])
}
