import type { ServerQuote } from '@/features/cart/api'
import { useCart } from '@/features/cart/cart-store'
import { sameCart } from '@/features/cart/merge'
import { serverCart } from '@/features/cart/notices'
import type { Quote } from '@/features/cart/quote'
import { useRulesChangedAt } from '@/features/shop/rules'
import { toPaisa } from '@/lib/money'

const inPaisa = ({ subtotal, tax, shippingFee, total }: ServerQuote): Quote => ({
  subtotal: toPaisa(subtotal),
  tax: toPaisa(tax),
  shippingFee: toPaisa(shippingFee),
  total: toPaisa(total),
})

/**
 * The figures on the screen: the server's where it has spoken about exactly this cart, and not before the prices here were
 * fetched or the fees changed; else the same sum done here. A refused order's new figures (`fresh`) come before both.
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
