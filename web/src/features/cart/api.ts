// What a shopper means to buy: the cart on the device (cart-store.ts), its union with the one on the server (merge.ts, use-cart-sync.ts), and the
// sums that the cart page shows. Asks /api/cart; what becomes of it is orders'.
import { api, type Schemas, unwrap } from '@/api/client'
import type { Cart } from '@/features/cart/cart-store'

export type DroppedProduct = Schemas['DroppedProduct']
/** In rupees, as all money on the wire. */
export type ServerQuote = Schemas['Quote']
export type CartResponse = Schemas['CartResponse']

export const cartApi = {
  load: async () => unwrap(await api.GET('/api/cart/get_cart')),
  save: async (cartItems: Cart) => unwrap(await api.POST('/api/cart/update_cart', { body: { cartItems } })),
}
