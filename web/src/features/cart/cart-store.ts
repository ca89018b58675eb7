import { useSyncExternalStore } from 'react'
import { settings } from '@/lib/first-data'

/** Product id to quantity, in the order the products were first added. */
export type Cart = Readonly<Record<string, number>>

/** Who changed it: the shopper here, the shopper in another tab, or the server's own copy that was taken over. */
type Changer = 'hand' | 'tab' | 'server'

const KEY = 'thunse.cart'
/** Where kept.ts writes down whose cart it is. */
export const KEPT_KEY = 'thunse.cart.kept'
/** The server refuses more. */
export const MOST_OF_ONE = 99
/** What a device holds at most, whatever the shop says. */
const MOST_LINES = 100

/** Different products that may be added now. */
export const mostLines = () => Math.min(settings.cartLines, MOST_LINES)

/** Whatever is in storage was written by some version of us, or by hand: keep what makes sense, drop the rest. */
export function readCart(text: string | null): Cart {
  if (!text) return {}
  try {
    return soundCart(JSON.parse(text))
  } catch {
    return {}
  }
}

export function soundCart(raw: unknown): Cart {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {}
  const lines = Object.entries(raw).filter(
    ([id, quantity]) => /^[\w-]{1,64}$/.test(id) && Number.isInteger(quantity) && quantity > 0,
  )
  return Object.fromEntries(
    lines.slice(0, MOST_LINES).map(([id, quantity]) => [id, Math.min(quantity, MOST_OF_ONE)]),
  )
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

let cart: Cart = readCart(stored())
const listeners = new Set<(by: Changer) => void>()

function tell(by: Changer) {
  for (const listener of listeners) listener(by)
}

function change(next: Cart, by: Changer = 'hand') {
  cart = next
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Storage may be full or forbidden; the cart then lives as long as this page.
  }
  tell(by)
}

window.addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return
  cart = readCart(event.newValue)
  tell('tab')
})

// Brought back as it was by the Back button, after another page has changed the cart.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  cart = readCart(stored())
  tell('tab')
})

export const cartStore = {
  read: (): Cart => cart,

  /** Adds up to `quantity` more, never beyond `stock`. Returns how many were really added. */
  add(id: string, quantity: number, stock: number): number {
    const had = cart[id] ?? 0
    if (had === 0 && Object.keys(cart).length >= mostLines()) return 0
    const has = Math.max(had, Math.min(had + quantity, stock, MOST_OF_ONE))
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
  takeOver: (next: Cart) => change(next, 'server'),

  watch(listener: (by: Changer) => void): () => void {
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
export function countItems(of: Cart): number {
  return Object.values(of).reduce((sum, quantity) => sum + quantity, 0)
}
