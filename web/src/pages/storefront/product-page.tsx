import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { BuyBox } from '@/features/cart/buy-box'
import { catalogueQueries, localTags, type Product } from '@/features/catalogue/api'
import { PackLine, Price } from '@/features/catalogue/price'
import { ProductGallery } from '@/features/catalogue/product-gallery'
import { rememberViewed } from '@/features/catalogue/recently-viewed'
import { ProductBadge } from '@/features/catalogue/stock'
import { Trust } from '@/features/shop/trust'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { useWishlistParts } from '@/features/wishlist/use-wishlist-parts'
import { formatDate } from '@/lib/dates'
import type { Lang } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Breadcrumb } from '@/ui/breadcrumb'
import { Outline } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { Stars } from '@/ui/stars'
import { StatePanel } from '@/ui/state-panel'

export function ProductPage() {
  const { id } = useParams({ from: paths.product })
  const query = useQuery(catalogueQueries.product(id))
  return (
    <div className="wrap page product-page">
      <LoadState query={query} problem="product.loadProblem" skeleton={<DetailSkeleton />} as="h1">
        {(found) =>
          found ? (
            <Detail key={found.product.id} product={found.product} related={found.related} />
          ) : (
            <UnknownProduct />
          )
        }
      </LoadState>
    </div>
  )
}

function Detail({ product, related }: { product: Product; related: Product[] }) {
  const t = useT()
  const lang = useLang()
  const name = localText(product, 'name', lang)
  const category = localText(product, 'category', lang)
  const text = localText(product, 'description', lang)
  const tags = localTags(product, lang)
  usePageTitle(name)
  const wishlist = useWishlistParts()
  useEffect(() => rememberViewed(product.id), [product.id])
  return (
    <>
      <Breadcrumb
        trail={[
          { key: 'home', link: <Link to={paths.home}>{t('nav.home')}</Link> },
          {
            key: 'category',
            link: (
              <Link to={paths.category} params={{ category: product.categorySlug }}>
                {category}
              </Link>
            ),
          },
        ]}
        here={name}
      />
      <article className="detail" data-stock={product.stock > 0 ? 'in' : 'out'}>
        <div className="detail-picture">
          <ProductGallery product={product} />
          {wishlist ? <wishlist.FavouriteButton product={product} /> : null}
        </div>
        <div className="detail-facts">
          <Link
            className="detail-category"
            to={paths.category}
            params={{ category: product.categorySlug }}
            lang={scriptLang(category, lang)}
          >
            {category}
          </Link>
          <h1 lang={scriptLang(name, lang)}>{name}</h1>
          <p className="detail-rating">
            <Stars rating={product.rating} reviews={product.reviews} />
            <span className="meta">
              {product.reviews > 0
                ? `${formatNumber(product.rating, lang, 1)} · ${t('product.reviews', { n: product.reviews })}`
                : t('product.noReviews')}
            </span>
          </p>
          <div className="detail-price">
            <Price rupees={product.price} was={product.wasPrice} />
            <ProductBadge product={product} />
          </div>
          {product.saleEndsAt ? (
            <p className="meta sale-until">
              {t('product.saleUntil', { date: lastDay(product.saleEndsAt, lang) })}
            </p>
          ) : null}
          <PackLine product={product} />
          <BuyBox product={product} />
          {product.stock <= 0 ? (
            <div className="stock-notice">
              {wishlist ? <wishlist.StockNotice productId={product.id} /> : null}
            </div>
          ) : null}
          <Trust detail />
          <h2>{t('product.description')}</h2>
          <p className="detail-text" lang={scriptLang(text, lang)}>
            {text}
          </p>
          {tags.length > 0 ? (
            <ul className="tags" aria-label={t('product.tags')}>
              {tags.map((tag) => (
                <li key={tag} className="tag" lang={scriptLang(tag, lang)}>
                  {tag}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      </article>
      {related.length > 0 ? (
        <section className="section" aria-labelledby="related">
          <h2 id="related">{t('product.related')}</h2>
          <ShopProductGrid products={related} variant="rail" />
        </section>
      ) : null}
    </>
  )
}

/** A sale that ends at midnight is over on the next day. */
const lastDay = (end: string, lang: Lang) => formatDate(new Date(Date.parse(end) - 1).toISOString(), lang)

function UnknownProduct() {
  const t = useT()
  usePageTitle(t('product.notFound'))
  return (
    <StatePanel
      icon={<Outline size={36} d="M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8" />}
      heading="h1"
      title={t('product.notFound')}
      text={t('product.notFoundText')}
      action={
        <Link className="button button-primary" to={paths.categories}>
          {t('product.back')}
        </Link>
      }
    />
  )
}

function DetailSkeleton() {
  return (
    <div className="detail" aria-hidden="true">
      <div className="detail-picture">
        <div className="picture skeleton" />
      </div>
      <div className="detail-facts">
        <p className="skeleton">&nbsp;</p>
        <p className="skeleton">&nbsp;</p>
        <p className="skeleton">&nbsp;</p>
      </div>
    </div>
  )
}
