import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Category, catalogueQueries, type Product } from '@/features/catalogue/api'
import { CategoryTile, CategoryTileSkeletons } from '@/features/catalogue/category-tile'
import { ProductGridSkeleton } from '@/features/catalogue/product-grid'
import { SubscribeForm } from '@/features/newsletter/subscribe-form'
import { currentSeason, Hero } from '@/features/seasons/hero'
import { Trust } from '@/features/shop/trust'
import { LazyHomeRails } from '@/features/wishlist/lazy-home-rails'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { AdSlot } from '@/ui/ad-slot'
import { TruckIcon } from '@/ui/icons'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'

const FEATURED = 6

export function HomePage() {
  const t = useT()
  usePageTitle(t('home.title'))
  const categories = useQuery(catalogueQueries.categories())
  const list = useInfiniteQuery(catalogueQueries.products({}))
  const products = { ...list, data: list.data?.pages.flatMap((page) => page.data) }

  return (
    <div className="wrap page">
      <Hero season={currentSeason()} />
      <DeliveryPromise />
      <LoadState
        query={categories}
        problem="categories.loadProblem"
        skeleton={
          <section className="section">
            <h2>{t('nav.categories')}</h2>
            <CategoryTileSkeletons tiles={8} />
          </section>
        }
      >
        {(loaded) => (loaded.length > 0 ? <Categories categories={loaded} /> : null)}
      </LoadState>
      <section className="section" aria-labelledby="featured">
        <h2 id="featured">{t('home.featured')}</h2>
        <LoadState
          query={products}
          problem="products.loadProblem"
          skeleton={<ProductGridSkeleton cards={FEATURED} variant="featured" />}
        >
          {(loaded) => <Featured products={loaded.slice(0, FEATURED)} />}
        </LoadState>
      </section>
      <Trust />
      <LazyHomeRails categories={categories.data} />
      <SubscribeForm />
      <AdSlot />
      {products.data && products.data.length > 0 ? (
        <section className="section" aria-labelledby="all-products">
          <h2 id="all-products">{t('home.all')}</h2>
          <ShopProductGrid products={afterFeatured(products.data)} />
          <LoadMoreButton query={list} label="home.showMore" />
        </section>
      ) : null}
    </div>
  )
}

/** The list does not begin with the products that are shown just above it, unless the shop has no others. */
function afterFeatured(products: Product[]): Product[] {
  return products.length > FEATURED ? products.slice(FEATURED) : products
}

function DeliveryPromise() {
  const promise = localText(settings, 'deliveryPromise', useLang())
  return promise ? (
    <p className="promise">
      <TruckIcon />
      {promise}
    </p>
  ) : null
}

function Categories({ categories }: { categories: Category[] }) {
  const t = useT()
  return (
    <section className="section" aria-labelledby="home-categories">
      <div className="section-head">
        <h2 id="home-categories">{t('nav.categories')}</h2>
        <Link className="link" to={paths.categories}>
          {t('home.allCategories')}
        </Link>
      </div>
      <ul className="tiles">
        {categories.map((category) => (
          <li key={category.slug}>
            <CategoryTile category={category} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Featured({ products }: { products: Product[] }) {
  const t = useT()
  if (products.length === 0) return <p className="muted">{t('products.empty')}</p>
  return (
    <>
      <ShopProductGrid products={products} variant="featured" eager={FEATURED} />
      <Link className="button button-outline load-more" to={paths.products}>
        {t('home.loadMore')}
      </Link>
    </>
  )
}
