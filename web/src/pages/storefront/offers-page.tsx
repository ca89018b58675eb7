import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queryClient } from '@/api/query-client'
import { catalogueQueries } from '@/features/catalogue/api'
import { ProductGridSkeleton } from '@/features/catalogue/product-grid'
import { publicCoupons } from '@/features/coupons/api'
import { PublicCoupons } from '@/features/coupons/public-coupons'
import { SubscribeForm } from '@/features/newsletter/subscribe-form'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { LogoMark } from '@/ui/logo'
import { usePageTitle } from '@/ui/page-title'

const FIRST_SCREEN = 6

const products = catalogueQueries.products({ discounted: true })

/** What decides whether there are offers at all: until both are known the heading could move. */
export const loadOffers = () =>
  Promise.all([queryClient.prefetchInfiniteQuery(products), queryClient.prefetchQuery(publicCoupons)])

export function OffersPage() {
  const t = useT()
  usePageTitle(t('nav.offers'))
  const query = useInfiniteQuery(products)
  const { data: coupons = [], isPending, failureCount } = useQuery(publicCoupons)
  const hasNoProducts = query.data?.pages.every(({ data }) => data.length === 0)
  // Coupons that are still on their way are not 'none'; coupons that cannot be read must not hide the rest.
  const areCouponsKnown = !isPending || failureCount > 0
  const isEmpty = hasNoProducts && areCouponsKnown && coupons.length === 0
  return (
    <div className="wrap page">
      {/* One heading for all states: it has the focus when the page opens, and must not lose it when the products come. */}
      <section className={isEmpty ? 'offers' : 'title-row'}>
        {isEmpty ? <LogoMark className="offers-art" /> : null}
        <h1>{t('offers.title')}</h1>
        {isEmpty ? <NoOffers /> : null}
      </section>
      {coupons.length > 0 ? <PublicCoupons coupons={coupons} /> : null}
      <LoadState query={query} problem="products.loadProblem" skeleton={<ProductGridSkeleton cards={6} />}>
        {({ pages }) =>
          hasNoProducts ? null : (
            <>
              <ShopProductGrid products={pages.flatMap(({ data }) => data)} eager={FIRST_SCREEN} />
              <LoadMoreButton query={query} label="products.loadMore" />
            </>
          )
        }
      </LoadState>
      <SubscribeForm title="newsletter.offers" />
    </div>
  )
}

function NoOffers() {
  const t = useT()
  return (
    <>
      <p className="offers-soon">{t('offers.soon')}</p>
      <p className="muted">{t('offers.text')}</p>
      <Link className="button button-primary" to={paths.products}>
        {t('offers.cta')}
      </Link>
    </>
  )
}
