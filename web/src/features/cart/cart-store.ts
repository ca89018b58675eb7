import { useSyncExternalStore } from 'react'
import { settings } from '@/lib/first-data'

/** Product id to quantity, in the order the products were first added. */
export type Cart = Readonly<Record<string, number>>

/** The origin of a change: the shopper in this tab, the shopper in another tab, or the server. */
type ChangeSource = 'hand' | 'tab' | 'server'

const KEY = 'thunse.cart'
/** Where synced-cart.ts stores the synced cart and its owner. */
export const SYNCED_CART_KEY = 'thunse.cart.synced'
/** The server refuses larger quantities. */
export const MAX_QUANTITY = 99
/** The upper limit of lines on a device, whatever the shop's setting is. */
const MAX_LINES = 100

/** How many different products the cart may hold now. */
export const maxLines = () => Math.min(settings.cartLines, MAX_LINES)

/**
 * Reads the stored cart, which an older version or a user may have written: valid entries stay, all others are dropped.
 */
export function readCart(text: string | null): Cart {
  if (!text) return {}
  try {
    return sanitizeCart(JSON.parse(text))
  } catch {
    return {}
  }
}

export function sanitizeCart(raw: unknown): Cart {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {}
  const lines = Object.entries(raw).filter(
    ([id, quantity]) => /^[\w-]{1,64}$/.test(id) && Number.isInteger(quantity) && quantity > 0,
  )
  return Object.fromEntries(
    lines.slice(0, MAX_LINES).map(([id, quantity]) => [id, Math.min(quantity, MAX_QUANTITY)]),
  )
}

function readStored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

let cart: Cart = readCart(readStored())
const listeners = new Set<(by: ChangeSource) => void>()

function notifyListeners(by: ChangeSource) {
  for (const listener of listeners) listener(by)
}

function change(next: Cart, by: ChangeSource = 'hand') {
  cart = next
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Storage may be full or forbidden; the cart then lives as long as this page.
  }
  notifyListeners(by)
}

window.addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return
  cart = readCart(event.newValue)
  notifyListeners('tab')
})

// The Back button has restored the page, and another page may have changed the cart.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  cart = readCart(readStored())
  notifyListeners('tab')
})

export const cartStore = {
  read: (): Cart => cart,

  /** Adds up to `quantity` more, never beyond `stock`. Returns how many were added. */
  add(id: string, quantity: number, stock: number): number {
    const had = cart[id] ?? 0
    if (had === 0 && Object.keys(cart).length >= maxLines()) return 0
    const has = Math.max(had, Math.min(had + quantity, stock, MAX_QUANTITY))
    if (has > had) change({ ...cart, [id]: has })
    return has - had
  },

  removeOne(id: string) {
    const had = cart[id] ?? 0
    if (had <= 1) cartStore.removeLine(id)
    else change({ ...cart, [id]: had - 1 })
  },

  removeLine(id: string) {
    const { [id]: _gone, ...rest } = cart
    change(rest)
  },

  /** Sets the quantity when the shopper accepts the remaining stock. */
  setQuantity(id: string, quantity: number) {
    if (cart[id]) change({ ...cart, [id]: quantity })
  },

  /** Restores a removed line at its former position. */
  putBack(id: string, quantity: number, place: number) {
    const lines = Object.entries(cart).filter(([other]) => other !== id)
    lines.splice(place, 0, [id, quantity])
    change(Object.fromEntries(lines))
  },

  clear: () => change({}),

  /** Replaces the cart with the server's, so that it is not saved again. */
  replaceFromServer: (next: Cart) => change(next, 'server'),

  watch(listener: (by: ChangeSource) => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export function useCart(): Cart {
  return useSyncExternalStore(cartStore.watch, cartStore.read)
}

export function useQuantity(id: string): number {
  return useCart()[id] ?? 0
}

/** Counts items, not lines: three bags of rice and one oil are four. */
export function countItems(items: Cart): number {
  return Object.values(items).reduce((sum, quantity) => sum + quantity, 0)
}
