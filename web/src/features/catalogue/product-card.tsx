import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { Product } from '@/features/catalogue/api'
import { Highlight } from '@/features/catalogue/highlight'
import { PackLine, Price } from '@/features/catalogue/price'
import { ProductPicture } from '@/features/catalogue/product-picture'
import { ProductBadge, stockLevel } from '@/features/catalogue/stock'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'

type ProductCardProps = {
  product: Product
  eager?: boolean
  /** The search text to mark in the name. */
  match?: string | undefined
  /** The controls for the product; the caller passes them, because the catalogue does not depend on the cart. */
  action: (product: Product, nameId: string) => ReactNode
  /** What is shown in the corner of the picture. */
  corner?: ((product: Product, nameId: string) => ReactNode) | undefined
}

/** A small card: the buttons are on the picture, so that more cards fit on a screen. */
export function ProductCard({ product, eager = false, match, action, corner }: ProductCardProps) {
  const lang = useLang()
  const nameId = useId()
  const name = localText(product, 'name', lang)
  return (
    <article className="card" data-stock={stockLevel(product.stock)}>
      <div className="card-picture">
        <ProductPicture product={product} size="card" eager={eager} />
        <ProductBadge product={product} />
        {corner?.(product, nameId)}
      </div>
      <div className="card-body">
        <h3 className="card-name" id={nameId}>
          <Link
            to={paths.product}
            params={{ category: product.categorySlug, id: product.id }}
            lang={scriptLang(name, lang)}
          >
            <Highlight text={name} match={match} />
          </Link>
        </h3>
        <PackLine product={product} short />
        <div className="card-foot">
          <Price rupees={product.price} was={product.wasPrice} />
          {product.wasPrice ? null : <Rating product={product} />}
        </div>
        <div className="card-action">{action(product, nameId)}</div>
      </div>
    </article>
  )
}

function Rating({ product }: { product: Product }) {
  const t = useT()
  const lang = useLang()
  if (product.reviews === 0) return null
  const rating = formatNumber(product.rating, lang, 1)
  return (
    <span className="meta card-rating">
      <span aria-hidden="true">
        <span className="star">★</span> {rating} ({formatNumber(product.reviews, lang)})
      </span>
      <span className="sr-only">{t('product.rated', { n: product.reviews, rating })}</span>
    </span>
  )
}
