import { useRef } from 'react'
import type { ServerQuote } from '@/features/cart/api'
import { type Cart, useCart } from '@/features/cart/cart-store'
import { sameCart } from '@/features/cart/merge'
import { serverCart } from '@/features/cart/notices'
import type { Quote } from '@/features/cart/quote'
import { toPaisa } from '@/lib/money'

const inPaisa = ({ subtotal, tax, shippingFee, total }: ServerQuote): Quote => ({
  subtotal: toPaisa(subtotal),
  tax: toPaisa(tax),
  shippingFee: toPaisa(shippingFee),
  total: toPaisa(total),
})

/**
 * The figures on the screen: the server's where it has spoken about exactly this cart, and not before the prices here were
 * fetched; else the same sum done here. A refused order's new figures (`fresh`) hold until the cart is changed.
 */
export function useFigures(computed: Quote, computedAt: number, fresh: ServerQuote | undefined): Quote {
  const cart = useCart()
  const server = serverCart.use()
  const said = useRef<{ fresh: ServerQuote; cart: Cart } | null>(null)
  if (fresh && said.current?.fresh !== fresh) said.current = { fresh, cart }
  if (fresh && said.current && sameCart(said.current.cart, cart)) return inPaisa(fresh)
  if (server && server.at >= computedAt && sameCart(server.items, cart)) return inPaisa(server.quote)
  return computed
}
