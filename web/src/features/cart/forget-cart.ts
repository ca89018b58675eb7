import { cartStore, KEPT_KEY } from '@/features/cart/cart-store'

/**
 * The next person at this phone must not see what the last one meant to buy; the account keeps it. A visitor's own cart
 * stays: it has no keeper. Known to every page, because one can sign out where no cart is kept (at the seller's desk), and
 * therefore without kept.ts: every page would have to carry it.
 */
export function forgetCart() {
  try {
    if (!localStorage.getItem(KEPT_KEY)) return
    localStorage.removeItem(KEPT_KEY)
    cartStore.takeOver({})
  } catch {
    // Where storage is forbidden only sync.ts knows of a keeper, and sees to it.
  }
}
