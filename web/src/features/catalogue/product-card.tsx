import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { localTags, type Product } from '@/features/catalogue/api'
import { Highlight } from '@/features/catalogue/highlight'
import { PackLine, Price } from '@/features/catalogue/price'
import { ProductPicture } from '@/features/catalogue/product-picture'
import { StockNote, stockLevel } from '@/features/catalogue/stock'
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

const TAGS_SHOWN = 2

export function ProductCard({ product, eager = false, match, action, corner }: ProductCardProps) {
  const t = useT()
  const lang = useLang()
  const nameId = useId()
  const name = localText(product, 'name', lang)
  return (
    <article className="card" data-stock={stockLevel(product.stock)}>
      <div className="card-picture">
        <ProductPicture product={product} size="card" eager={eager} />
        <StockNote stock={product.stock} />
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
        <p className="meta card-rating">
          {product.reviews > 0 ? (
            <>
              <span className="star" aria-hidden="true">
                ★
              </span>
              <span aria-hidden="true">
                {formatNumber(product.rating, lang, 1)} ({formatNumber(product.reviews, lang)})
              </span>
              <span className="sr-only">
                {t('product.rated', { n: product.reviews, rating: formatNumber(product.rating, lang, 1) })}
              </span>
            </>
          ) : (
            t('product.noReviews')
          )}
        </p>
        <PackLine product={product} short />
        <Tags tags={localTags(product, lang)} />
        <div className="card-foot">
          <Price rupees={product.price} />
          {action(product, nameId)}
        </div>
      </div>
    </article>
  )
}

function Tags({ tags }: { tags: string[] }) {
  const lang = useLang()
  const more = tags.length - TAGS_SHOWN
  return (
    <p className="card-tags">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <span key={tag} className="tag" lang={scriptLang(tag, lang)}>
          {tag}
        </span>
      ))}
      {more > 0 ? <span className="tag">+{formatNumber(more, lang)}</span> : null}
    </p>
  )
}
