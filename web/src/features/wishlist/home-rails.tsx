import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
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

/** The part of the home page between the featured products and the newsletter: rails of products that scroll. */
export function HomeRails({ categories }: { categories: Category[] }) {
  const { user } = useUser()
  const filled = categories.filter(({ totalproducts }) => totalproducts >= LEAST)
  return (
    <>
      {user ? <BuyAgainRail /> : null}
      <PopularRail />
      <NewRail />
      {filled.slice(0, CATEGORY_RAILS).map((category) => (
        <CategoryRail key={category.slug} category={category} />
      ))}
      <RecentRail />
    </>
  )
}

/** Nothing until there are products. */
function Rail(props: { title: string; products: Product[] | undefined; least?: number; all?: ReactNode }) {
  const { title, products = [], least = 1, all } = props
  const id = useId()
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
  const { data } = useQuery(wishlistQueries.buyAgain)
  return (
    <Rail
      title={t('buyAgain.title')}
      products={data}
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
  const { data } = useQuery(wishlistQueries.popular)
  return <Rail title={t('rails.popular')} products={data} least={LEAST} />
}

function NewRail() {
  const t = useT()
  const { data } = useInfiniteQuery(catalogueQueries.products({ sort: 'newest' }))
  const title = t('rails.new')
  return (
    <Rail
      title={title}
      products={data?.pages[0]?.data}
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
  const { data } = useInfiniteQuery(catalogueQueries.products({ category: category.slug }))
  const name = localText(category, 'name', useLang())
  return (
    <Rail
      title={name}
      products={data?.pages[0]?.data}
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
  const { data } = useQuery(catalogueQueries.byIds(recentlyViewed()))
  return <Rail title={t('rails.recent')} products={data} />
}
