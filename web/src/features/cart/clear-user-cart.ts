import { cartStore, SYNCED_CART_KEY } from '@/features/cart/cart-store'

/**
 * The next person at this phone must not see what the last one meant to buy; the account keeps it. A visitor's own cart
 * stays: it belongs to no account. Every page loads this, because a shopper can sign out where no cart is synced (in the seller dashboard), and
 * therefore without synced-cart.ts: every page would have to carry it.
 */
export function clearUserCart() {
  try {
    if (!localStorage.getItem(SYNCED_CART_KEY)) return
    localStorage.removeItem(SYNCED_CART_KEY)
    cartStore.replaceFromServer({})
  } catch {
    // Where storage is forbidden only sync.ts knows of a keeper, and sees to it.
  }
}
