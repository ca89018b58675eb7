import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react'
import { useUser } from '@/features/accounts/session'
import { type Category, catalogueQueries, type Product } from '@/features/catalogue/api'
import { recentlyViewed } from '@/features/catalogue/recently-viewed'
import { wishlistQueries } from '@/features/wishlist/api'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'

const RAIL = 12
/** A rail with fewer products than this looks like a mistake. */
const LEAST = 3
const CATEGORY_RAILS = 3

/** Called by each rail when its products are known, or known to be missing. */
const Settled = createContext(() => {})

/**
 * The part of the home page between the featured products and the newsletter: rails of products that scroll. They are
 * shown all at once, because a rail that comes late would push down those that the shopper reads.
 */
export function HomeRails({ categories, onReady }: { categories: Category[]; onReady: () => void }) {
  const { user } = useUser()
  const filled = categories.filter(({ totalproducts }) => totalproducts >= LEAST).slice(0, CATEGORY_RAILS)
  const rails = [
    user ? <BuyAgainRail key="again" /> : null,
    <PopularRail key="popular" />,
    <NewRail key="new" />,
    ...filled.map((category) => <CategoryRail key={category.slug} category={category} />),
    <RecentRail key="recent" />,
  ].filter(Boolean)
  const [settled, setSettled] = useState(0)
  const [ready, setReady] = useState(false)
  useEffect(() => {
    if (ready || settled < rails.length) return
    setReady(true)
    onReady()
  }, [ready, settled, rails.length, onReady])
  return (
    <Settled value={() => setSettled((count) => count + 1)}>
      <div hidden={!ready}>{rails}</div>
    </Settled>
  )
}

type RailProps = {
  title: string
  products: Product[] | undefined
  query: Pick<UseQueryResult, 'isLoading' | 'failureCount'>
  least?: number
  all?: ReactNode
}

/** Nothing until there are products. */
function Rail({ title, products = [], query, least = 1, all }: RailProps) {
  const id = useId()
  const onSettled = useContext(Settled)
  // The others do not wait for a second attempt.
  const isSettled = !query.isLoading || query.failureCount > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rail settles once, whatever function it is told with
  useEffect(() => {
    if (isSettled) onSettled()
  }, [isSettled])
  if (products.length < least) return null
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {all}
      </div>
      <ShopProductGrid products={products.slice(0, RAIL)} variant="rail" />
    </section>
  )
}

function BuyAgainRail() {
  const t = useT()
  const query = useQuery(wishlistQueries.buyAgain)
  return (
    <Rail
      title={t('buyAgain.title')}
      products={query.data}
      query={query}
      all={
        <Link className="link" to={paths.orders}>
          {t('buyAgain.orders')}
        </Link>
      }
    />
  )
}

function PopularRail() {
  const t = useT()
  const query = useQuery(wishlistQueries.popular)
  return <Rail title={t('rails.popular')} products={query.data} query={query} least={LEAST} />
}

function NewRail() {
  const t = useT()
  const query = useInfiniteQuery(catalogueQueries.products({ sort: 'newest' }))
  const title = t('rails.new')
  return (
    <Rail
      title={title}
      products={query.data?.pages[0]?.data}
      query={query}
      least={LEAST}
      all={
        <Link
          className="link"
          to={paths.products}
          search={{ sort: 'newest' }}
          aria-label={t('rails.allOf', { name: title })}
        >
          {t('home.allCategories')}
        </Link>
      }
    />
  )
}

function CategoryRail({ category }: { category: Category }) {
  const t = useT()
  const query = useInfiniteQuery(catalogueQueries.products({ category: category.slug }))
  const name = localText(category, 'name', useLang())
  return (
    <Rail
      title={name}
      products={query.data?.pages[0]?.data}
      query={query}
      all={
        <Link
          className="link"
          to={paths.category}
          params={{ category: category.slug }}
          aria-label={t('rails.allOf', { name })}
        >
          {t('home.allCategories')}
        </Link>
      }
    />
  )
}

function RecentRail() {
  const t = useT()
  const query = useQuery(catalogueQueries.byIds(recentlyViewed()))
  return <Rail title={t('rails.recent')} products={query.data} query={query} />
}
