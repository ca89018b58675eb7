import { useSyncExternalStore } from 'react'

/** Product id to quantity, in the order the products were first added. */
export type Cart = Readonly<Record<string, number>>

const KEY = 'thunse.cart'
const MOST_OF_ONE = 999

/** Whatever is in storage was written by some version of us, or by hand: keep what makes sense, drop the rest. */
export function readCart(text: string | null): Cart {
  if (!text) return {}
  try {
    const raw: unknown = JSON.parse(text)
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {}
    return Object.fromEntries(
      Object.entries(raw).flatMap(([id, quantity]) =>
        /^[\w-]{1,64}$/.test(id) && Number.isInteger(quantity) && quantity > 0
          ? [[id, Math.min(quantity, MOST_OF_ONE)]]
          : [],
      ),
    )
  } catch {
    return {}
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

let cart: Cart = readCart(stored())
const listeners = new Set<() => void>()

function tell() {
  for (const listener of listeners) listener()
}

function change(next: Cart) {
  cart = next
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Storage may be full or forbidden; the cart then lives as long as this page.
  }
  tell()
}

window.addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return
  cart = readCart(event.newValue)
  tell()
})

export const cartStore = {
  read: (): Cart => cart,

  /** Adds up to `quantity` more, never beyond `stock`. Returns how many were really added. */
  add(id: string, quantity: number, stock: number): number {
    const had = cart[id] ?? 0
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

  /** Puts a removed line back where it stood. */
  putBack(id: string, quantity: number, place: number) {
    const lines = Object.entries(cart).filter(([other]) => other !== id)
    lines.splice(place, 0, [id, quantity])
    change(Object.fromEntries(lines))
  },

  clear: () => change({}),
}

export function useCart(): Cart {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => cart,
  )
}

export function useQuantity(id: string): number {
  return useCart()[id] ?? 0
}

/** Items, not lines: three bags of rice and one oil are four. */
export function countItems(of: Cart): number {
  return Object.values(of).reduce((sum, quantity) => sum + quantity, 0)
}
