import { useSyncExternalStore } from 'react'
import { settings } from '@/lib/first-data'

/** Product id to quantity, in the order the products were first added. */
export type Cart = Readonly<Record<string, number>>

/** Who changed it: the shopper here, the shopper in another tab, or the server's own copy that was taken over. */
type ChangeSource = 'hand' | 'tab' | 'server'

const KEY = 'thunse.cart'
/** Where synced-cart.ts stores whose cart it is. */
export const SYNCED_CART_KEY = 'thunse.cart.kept'
/** The server refuses more. */
export const MAX_QUANTITY = 99
/** What a device holds at most, whatever the shop says. */
const MAX_LINES = 100

/** Different products that may be added now. */
export const maxLines = () => Math.min(settings.cartLines, MAX_LINES)

/** Whatever is in storage was written by some version of us, or by hand: keep what makes sense, drop the rest. */
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

// Brought back as it was by the Back button, after another page has changed the cart.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  cart = readCart(readStored())
  notifyListeners('tab')
})

export const cartStore = {
  read: (): Cart => cart,

  /** Adds up to `quantity` more, never beyond `stock`. Returns how many were really added. */
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

  /** For a shopper who accepts what is left of a product. */
  setQuantity(id: string, quantity: number) {
    if (cart[id]) change({ ...cart, [id]: quantity })
  },

  /** Puts a removed line back where it stood. */
  putBack(id: string, quantity: number, place: number) {
    const lines = Object.entries(cart).filter(([other]) => other !== id)
    lines.splice(place, 0, [id, quantity])
    change(Object.fromEntries(lines))
  },

  clear: () => change({}),

  /** The cart as the server has it; it need not be told. */
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

/** Items, not lines: three bags of rice and one oil are four. */
export function countItems(items: Cart): number {
  return Object.values(items).reduce((sum, quantity) => sum + quantity, 0)
}
