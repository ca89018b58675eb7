import { useQuery } from '@tanstack/react-query'
import { type Bill, bill } from '@/features/cart/bill'
import { useCart } from '@/features/cart/cart-store'
import { catalogueQueries, type Product } from '@/features/catalogue/api'
import { toPaisa } from '@/lib/money'

/** `product` is `null` when the shop no longer sells it: such a line is shown but never charged. */
export type CartLine = { id: string; quantity: number; product: Product | null }

export function useCartLines() {
  const cart = useCart()
  const ids = Object.keys(cart)
  const query = useQuery(catalogueQueries.byIds([...ids].sort()))
  const products = query.data && new Map(query.data.map((product) => [product.id, product]))
  const lines: CartLine[] | undefined = products
    ? ids.map((id) => ({ id, quantity: cart[id] ?? 0, product: products.get(id) ?? null }))
    : undefined
  return { ids, query, lines, bill: lines && billOf(lines) }
}

function billOf(lines: CartLine[]): Bill {
  return bill(
    lines.flatMap(({ product, quantity }) => (product ? [{ price: toPaisa(product.price), quantity }] : [])),
  )
}
