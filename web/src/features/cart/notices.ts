import type { DroppedProduct, ServerQuote } from '@/features/cart/api'
import type { Cart } from '@/features/cart/cart-store'
import { createStore } from '@/lib/store'

/** What happened to the cart without the shopper's doing. Stays on /cart until they have read it: toasts go away. */
export type CartNotice = { kind: 'merged' } | { kind: 'dropped'; products: DroppedProduct[] }

export const cartNotices = createStore<readonly CartNotice[]>([])

export const addNotice = (notice: CartNotice) =>
  cartNotices.set([...cartNotices.read().filter(({ kind }) => kind !== notice.kind), notice])

/** What the server last said: its figures hold for exactly these items. */
export type ServerCart = { items: Cart; quote: ServerQuote; at: number }

export const serverCart = createStore<ServerCart | null>(null)
