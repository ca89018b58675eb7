// The cart: on the device (cart-store.ts), merged with the one on the server (merge.ts, use-cart-sync.ts), and the sums
// of the cart page. Calls /api/cart; placing the order belongs to the module orders.
import { api, type Schemas, unwrap, unwrapData } from '@/api/client'
import type { Cart } from '@/features/cart/cart-store'

export type DroppedProduct = Schemas['DroppedProduct']
/** In rupees, like all money in the API. */
export type ServerQuote = Schemas['Quote']
export type CartResponse = Schemas['CartResponse']

export const cartApi = {
  load: async () => unwrap(await api.GET('/api/cart/get_cart')),
  /** What this cart costs with a coupon; the cart itself is not changed. */
  quoteCoupon: (code: string, cartItems: Cart, signal: AbortSignal) =>
    unwrapData(api.POST('/api/cart/quote_coupon', { body: { code, cartItems }, signal })),
  save: async (cartItems: Cart) => unwrap(await api.POST('/api/cart/update_cart', { body: { cartItems } })),
}
