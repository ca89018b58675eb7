// The cart: on the device (cart-store.ts), merged with the one on the server (merge.ts, use-cart-sync.ts), and the sums
// of the cart page. Calls /api/cart; placing the order belongs to the module orders.
import { api, type Schemas, unwrap } from '@/api/client'
import type { Cart } from '@/features/cart/cart-store'

export type DroppedProduct = Schemas['DroppedProduct']
/** In rupees, like all money in the API. */
export type ServerQuote = Schemas['Quote']
export type CartResponse = Schemas['CartResponse']

export const cartApi = {
  load: async () => unwrap(await api.GET('/api/cart/get_cart')),
  save: async (cartItems: Cart) => unwrap(await api.POST('/api/cart/update_cart', { body: { cartItems } })),
}
