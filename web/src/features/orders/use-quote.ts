import type { ServerQuote } from '@/features/cart/api'
import { useCart } from '@/features/cart/cart-store'
import { sameCart } from '@/features/cart/merge'
import { serverCart } from '@/features/cart/notices'
import type { Quote } from '@/features/cart/quote'
import { useRulesChangedAt } from '@/features/shop/rules'
import { toPaisa } from '@/lib/money'

const inPaisa = ({
  subtotal,
  tax,
  shippingFee,
  total,
  minimumMissing = 0,
  discount = 0,
}: ServerQuote): Quote => ({
  subtotal: toPaisa(subtotal),
  tax: toPaisa(tax),
  shippingFee: toPaisa(shippingFee),
  total: toPaisa(total),
  minimumMissing: toPaisa(minimumMissing),
  discount: toPaisa(discount),
})

/**
 * The figures on the screen: the server's if they are for exactly this cart and newer than the prices and fees here,
 * otherwise the same sum computed here. The new figures of a refused order (`fresh`) come before both.
 */
export function useQuote(computed: Quote, computedAt: number, fresh: ServerQuote | undefined): Quote {
  const cart = useCart()
  const server = serverCart.use()
  const changedAt = useRulesChangedAt()
  if (fresh) return inPaisa(fresh)
  if (server && server.at >= Math.max(computedAt, changedAt) && sameCart(server.items, cart))
    return inPaisa(server.quote)
  return computed
}
