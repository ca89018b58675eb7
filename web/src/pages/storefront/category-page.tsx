import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Category, catalogueQueries, findCategory } from '@/features/catalogue/api'
import { CategoryNav } from '@/features/catalogue/category-nav'
import { CategoryIcon, CategoryPicture } from '@/features/catalogue/category-picture'
import { ProductGridSkeleton } from '@/features/catalogue/product-grid'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { Breadcrumb } from '@/ui/breadcrumb'
import { Outline } from '@/ui/icons'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

const FIRST_SCREEN = 6

export function CategoryPage() {
  const { category: slug } = useParams({ from: paths.category })
  const categories = useQuery(catalogueQueries.categories())
  return (
    <div className="wrap page">
      <LoadState query={categories} problem="categories.loadProblem" skeleton={<CategorySkeleton />} as="h1">
        {(loaded) => {
          const category = findCategory(loaded, slug)
          return category ? <CategoryProducts category={category} all={loaded} /> : <UnknownCategory />
        }}
      </LoadState>
    </div>
  )
}

function CategoryProducts({ category, all }: { category: Category; all: Category[] }) {
  const t = useT()
  const lang = useLang()
  const name = localText(category, 'name', lang)
  usePageTitle(name)
  const query = useInfiniteQuery(catalogueQueries.products({ category: category.slug }))
  return (
    <>
      <Breadcrumb
        trail={[
          { key: 'home', link: <Link to={paths.home}>{t('nav.home')}</Link> },
          { key: 'categories', link: <Link to={paths.categories}>{t('nav.categories')}</Link> },
        ]}
        here={name}
      />
      <div className="banner">
        <CategoryPicture category={category} sizes="(max-width: 767px) 88px, 120px" alt="" eager />
        <div className="banner-text">
          <div className="banner-title">
            <CategoryIcon icon={category.icon} />
            <h1>{name}</h1>
          </div>
          <p>{localText(category, 'description', lang)}</p>
        </div>
      </div>
      <div className="browse">
        <CategoryNav
          categories={all}
          current={category.slug}
          link={(each, content) =>
            each ? (
              <Link
                className="chip"
                to={paths.category}
                params={{ category: each.slug }}
                aria-current={each === category ? 'page' : undefined}
              >
                {content}
              </Link>
            ) : null
          }
        />
        <div>
          <LoadState
            query={query}
            problem="products.loadProblem"
            skeleton={<ProductGridSkeleton cards={6} />}
          >
            {({ pages }) => {
              const products = pages.flatMap((page) => page.data)
              if (products.length === 0) {
                return (
                  <StatePanel
                    icon={<Outline size={36} d="M4 3v18M20 3v18M4 8.5h16M4 15h16" />}
                    title={t('category.empty')}
                    action={<Back />}
                  />
                )
              }
              return (
                <>
                  <h2 className="list-count">
                    {t('products.count', { n: pages[0]?.total ?? products.length })}
                  </h2>
                  <ShopProductGrid products={products} eager={FIRST_SCREEN} />
                  <LoadMoreButton query={query} label="products.loadMore" />
                </>
              )
            }}
          </LoadState>
        </div>
      </div>
    </>
  )
}

function UnknownCategory() {
  const t = useT()
  usePageTitle(t('category.notFound'))
  return (
    <StatePanel
      icon={<Outline size={36} d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14.5 14.5l5 5M19.5 14.5l-5 5" />}
      heading="h1"
      title={t('category.notFound')}
      action={<Back />}
    />
  )
}

function Back() {
  const t = useT()
  return (
    <Link className="button button-primary" to={paths.categories}>
      {t('product.back')}
    </Link>
  )
}

function CategorySkeleton() {
  return (
    <>
      <div className="banner skeleton" />
      <ProductGridSkeleton cards={6} />
    </>
  )
}
