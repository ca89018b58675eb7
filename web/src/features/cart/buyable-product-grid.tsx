import type { ComponentProps } from 'react'
import { AddToCart } from '@/features/cart/add-to-cart'
import { ProductGrid } from '@/features/catalogue/product-grid'

/** A product grid whose cards can add to the cart. */
export function BuyableProductGrid(props: Omit<ComponentProps<typeof ProductGrid>, 'action'>) {
  return (
    <ProductGrid {...props} action={(product, nameId) => <AddToCart product={product} nameId={nameId} />} />
  )
}
