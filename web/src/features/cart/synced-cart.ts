import { type Cart, readCart, SYNCED_CART_KEY } from '@/features/cart/cart-store'

/**
 * Whose cart lies on this device, and what the server last said is in it. Against it one can tell what was changed here
 * and what was changed elsewhere. A visitor's cart has none.
 */
export type SyncedCart = { user: string; items: Cart }

let inMemory: string | null = null

/** Read from storage each time: another tab may have saved the cart meanwhile. */
export function readSyncedCart(): SyncedCart | null {
  let text = inMemory
  try {
    text = localStorage.getItem(SYNCED_CART_KEY)
  } catch {
    // Without storage, this page's own memory has to do.
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
    // As above.
  }
}
