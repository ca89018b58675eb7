import { useQuery } from '@tanstack/react-query'
import { useCart } from '@/features/cart/cart-store'
import { type Quote, quote } from '@/features/cart/quote'
import { catalogueQueries, type Product } from '@/features/catalogue/api'
import { type Rates, useRates } from '@/features/shop/rules'
import { toPaisa } from '@/lib/money'

/**
 * `product` is `null` when the shop no longer sells it: such a line is shown but never charged. It is `undefined` while
 * it is loading.
 */
export type CartLine = { id: string; quantity: number; product: Product | null | undefined }

export function useCartLines() {
  const cart = useCart()
  const rates = useRates()
  // Newest first: that is the line a shopper looks for.
  const ids = Object.keys(cart).reverse()
  const query = useQuery(catalogueQueries.byIds([...ids].sort()))
  const products = query.data && new Map(query.data.map((product) => [product.id, product]))
  // Products of the previous cart say nothing about a line that was added since.
  const missing = query.isPlaceholderData ? undefined : null
  const lines: CartLine[] | undefined = products
    ? ids.map((id) => ({ id, quantity: cart[id] ?? 0, product: products.get(id) ?? missing }))
    : undefined
  return { ids, query, lines, quote: lines && quoteOf(lines, rates) }
}

/** Unit prices with a coupon, in rupees by product id. */
export type CouponPrices = Record<string, number>

/** The quote of lines at an address with these rates, at the prices with a coupon if there is one. */
export function quoteOf(lines: CartLine[], rates: Rates, prices: CouponPrices = {}): Quote {
  let discount = 0
  const priced = lines.flatMap(({ id, product, quantity }) => {
    if (!product) return []
    const listed = toPaisa(product.price)
    const price = toPaisa(prices[id] ?? product.price)
    discount += (listed - price) * quantity
    return [{ price, quantity, taxClass: product.taxClass }]
  })
  return { ...quote(priced, rates), ...(discount > 0 ? { discount } : {}) }
}
