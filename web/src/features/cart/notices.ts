import type { DroppedProduct, ServerQuote } from '@/features/cart/api'
import type { Cart } from '@/features/cart/cart-store'
import { createStore } from '@/lib/store'

/**
 * A change to the cart that the shopper did not make. It stays on /cart until the shopper closes it, because toasts
 * disappear.
 */
export type CartNotice = { kind: 'merged' } | { kind: 'dropped'; products: DroppedProduct[] }

export const cartNotices = createStore<readonly CartNotice[]>([])

export const addNotice = (notice: CartNotice) =>
  cartNotices.set([...cartNotices.read().filter(({ kind }) => kind !== notice.kind), notice])

/** The server's last response: its figures are valid for exactly these items. */
export type ServerCart = { items: Cart; quote: ServerQuote; at: number }

export const serverCart = createStore<ServerCart | null>(null)
