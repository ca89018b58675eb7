import { type Cart, readCart, SYNCED_CART_KEY } from '@/features/cart/cart-store'

/**
 * The owner of the cart on this device and its items as the server last stored them. The difference to the cart shows
 * what was changed here and what was changed elsewhere. A visitor's cart has no synced cart.
 */
export type SyncedCart = { user: string; items: Cart }

let inMemory: string | null = null

/** Reads from storage each time, because another tab may have saved the cart. */
export function readSyncedCart(): SyncedCart | null {
  let text = inMemory
  try {
    text = localStorage.getItem(SYNCED_CART_KEY)
  } catch {
    // Without storage, the value in this page's memory is used.
  }
  if (!text) return null
  try {
    const { user, items } = JSON.parse(text)
    return typeof user === 'string' ? { user, items: readCart(JSON.stringify(items)) } : null
  } catch {
    return null
  }
}

export function writeSyncedCart(synced: SyncedCart | null) {
  inMemory = synced && JSON.stringify(synced)
  try {
    if (inMemory) localStorage.setItem(SYNCED_CART_KEY, inMemory)
    else localStorage.removeItem(SYNCED_CART_KEY)
  } catch {
    // Storage is forbidden, as above.
  }
}
