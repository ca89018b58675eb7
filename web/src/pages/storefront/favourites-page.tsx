import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LoginButton } from '@/features/accounts/header-account'
import { prefetchSession, useUser } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { ProductGridSkeleton } from '@/features/catalogue/product-grid'
import { wishlistQueries } from '@/features/wishlist/api'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { HeartIcon } from '@/ui/icons-wishlist'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

const SKELETON = <ProductGridSkeleton cards={6} />

export function FavouritesPage() {
  const t = useT()
  const { user, pending } = useUser()
  usePageTitle(t('favourites.title'))
  useEffect(() => {
    void prefetchSession('user')
  }, [])
  return (
    <div className="wrap page">
      <h1>{t('favourites.title')}</h1>
      {user ? (
        <Favourites />
      ) : pending ? (
        SKELETON
      ) : (
        <StatePanel
          icon={<HeartIcon size={36} />}
          title={t('favourites.login')}
          action={<LoginButton className="button button-primary" />}
        />
      )}
    </div>
  )
}

function Favourites() {
  const query = useQuery(wishlistQueries.marked)
  // If the session has ended elsewhere, the page offers the login.
  useEffect(() => void handleSessionEnded(query.error), [query.error])
  return (
    <LoadState query={query} problem="products.loadProblem" skeleton={SKELETON}>
      {({ favourites }) => <FavouriteList current={favourites} />}
    </LoadState>
  )
}

function FavouriteList({ current }: { current: string[] }) {
  const t = useT()
  // A product stays until the page is left, so that a heart that was pressed by mistake can be pressed again.
  const [ids] = useState(current)
  const query = useInfiniteQuery({ ...wishlistQueries.products(ids), enabled: ids.length > 0 })
  if (ids.length === 0) {
    return (
      <StatePanel
        icon={<HeartIcon size={36} />}
        title={t('favourites.empty')}
        text={t('favourites.emptyText')}
        action={
          <Link className="button button-primary" to={paths.products}>
            {t('products.showAll')}
          </Link>
        }
      />
    )
  }
  return (
    <LoadState query={query} problem="products.loadProblem" skeleton={SKELETON}>
      {({ pages }) => (
        <>
          <h2 className="list-count">{t('products.count', { n: ids.length })}</h2>
          <ShopProductGrid products={pages.flat()} />
          <LoadMoreButton query={query} label="home.showMore" />
        </>
      )}
    </LoadState>
  )
}
