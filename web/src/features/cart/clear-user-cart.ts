import { cartStore, SYNCED_CART_KEY } from '@/features/cart/cart-store'

/**
 * Clears the shopper's cart on this device, so that the next person does not see it; the account still has it. A
 * visitor's cart stays, because it belongs to no account. Every page loads this file, because a shopper can sign out
 * where no cart is synced (in the seller dashboard), so it must not import synced-cart.ts.
 */
export function clearUserCart() {
  try {
    if (!localStorage.getItem(SYNCED_CART_KEY)) return
    localStorage.removeItem(SYNCED_CART_KEY)
    cartStore.replaceFromServer({})
  } catch {
    // Where storage is forbidden, only sync.ts knows the cart's owner, and it clears the cart itself.
  }
}
