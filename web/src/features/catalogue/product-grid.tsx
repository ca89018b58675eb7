import type { ReactNode } from 'react'
import type { Product } from '@/features/catalogue/api'
import { ProductCard } from '@/features/catalogue/product-card'

type ProductGridProps = {
  products: Product[]
  action: (product: Product, nameId: string) => ReactNode
  corner?: (product: Product, nameId: string) => ReactNode
  match?: string | undefined
  /** How many cards are probably visible on the first screen. */
  eager?: number
  variant?: 'grid' | 'featured' | 'rail'
}

export function ProductGrid({
  products,
  action,
  corner,
  match,
  eager = 0,
  variant = 'grid',
}: ProductGridProps) {
  return (
    <ul className={`product-${variant}`}>
      {products.map((product, index) => (
        <li key={product.id}>
          <ProductCard
            product={product}
            action={action}
            corner={corner}
            match={match}
            eager={index < eager}
          />
        </li>
      ))}
    </ul>
  )
}

/** Empty boxes of the same size, so that nothing moves when the products arrive. */
export function ProductGridSkeleton({
  cards,
  variant = 'grid',
}: {
  cards: number
  variant?: 'grid' | 'featured'
}) {
  return (
    <ul className={`product-${variant}`} aria-hidden="true">
      {Array.from({ length: cards }, (_, card) => card).map((card) => (
        <li key={card}>
          <div className="card">
            <div className="card-picture skeleton" />
            <div className="card-body">
              <div className="card-name skeleton" />
              <p className="meta skeleton" />
              <div className="card-foot">
                <div className="price skeleton" />
              </div>
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
