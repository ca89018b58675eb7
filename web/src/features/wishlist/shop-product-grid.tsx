import type { ComponentProps } from 'react'
import { BuyableProductGrid } from '@/features/cart/buyable-product-grid'
import { useWishlistParts } from '@/features/wishlist/use-wishlist-parts'

/** A product grid whose cards can add to the cart and to the favourites. */
export function ShopProductGrid(props: Omit<ComponentProps<typeof BuyableProductGrid>, 'corner'>) {
  const parts = useWishlistParts()
  return (
    <BuyableProductGrid
      {...props}
      corner={(product, nameId) =>
        parts ? <parts.FavouriteButton product={product} nameId={nameId} /> : null
      }
    />
  )
}
