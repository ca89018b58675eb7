import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useId } from 'react'
import {
  catalogueQueries,
  type Product,
  type ProductFilter,
  SORTS,
  type Sort,
} from '@/features/catalogue/api'
import { CategoryNav } from '@/features/catalogue/category-nav'
import { LazyActiveFilters, LazyProductFilters } from '@/features/catalogue/lazy-filters'
import { ProductGridSkeleton } from '@/features/catalogue/product-grid'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { loadWithMessages, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { useDebouncedSearchParam } from '@/ui/use-debounced-search-param'

const FIRST_SCREEN = 6

const NothingFound = lazyWithRetry(async () => {
  const module = await loadWithMessages(
    'features/wishlist/nothing-found',
    () => import('@/features/wishlist/nothing-found'),
  )
  return module.NothingFound
})

export function ProductsPage() {
  const t = useT()
  usePageTitle(t('nav.products'))
  const filter = useSearch({ from: paths.products })
  const change = useFilterChange()
  const query = useInfiniteQuery({
    ...catalogueQueries.products(filter),
    // While a new filter loads, the old list stays, because a list that flickers with every letter cannot be read.
    placeholderData: keepPreviousData,
  })
  const first = query.data?.pages[0]
  const count = first && !query.isPlaceholderData ? first : undefined

  return (
    <div className="wrap page">
      <div className="title-row">
        <h1>{filter.search ? t('products.resultsFor', { text: filter.search }) : t('nav.products')}</h1>
        <p className="muted" role="status">
          {count ? <Count total={count.total} capped={count.totalCapped} /> : null}
        </p>
        {filter.minPrice || filter.maxPrice || filter.inStock ? (
          <div className="active-filters">
            <LazyActiveFilters filter={filter} change={change} />
          </div>
        ) : null}
      </div>
      <FilterRow filter={filter} change={change} />
      <div className="browse">
        <div className="browse-side">
          <div className="filter-place">
            <LazyProductFilters filter={filter} change={change} />
          </div>
          <Categories filter={filter} />
        </div>
        <div>
          <h2 className="sr-only">{t('products.results')}</h2>
          <LoadState
            query={query}
            problem="products.loadProblem"
            skeleton={<ProductGridSkeleton cards={12} />}
          >
            {({ pages }) => {
              const products = pages.flatMap((page) => page.data)
              const matches = pages.flatMap((page) => page.matches)
              const similar = pages[0]?.similar ?? []
              const found = products.length + matches.length > 0
              return (
                <div className={query.isPlaceholderData ? 'stale' : undefined}>
                  {products.length > 0 ? (
                    <ShopProductGrid products={products} match={filter.search} eager={FIRST_SCREEN} />
                  ) : null}
                  {matches.length > 0 ? (
                    <Matches products={matches} match={filter.search} more={products.length > 0} />
                  ) : null}
                  {found ? null : similar.length > 0 ? (
                    <NoExactMatch text={filter.search ?? ''} />
                  ) : (
                    <NothingFound filter={filter} />
                  )}
                  <LoadMoreButton query={query} label="products.loadMore" />
                  {similar.length > 0 ? (
                    <section className="section" aria-labelledby="similar">
                      <h2 id="similar">{t('products.similar')}</h2>
                      <ShopProductGrid products={similar} eager={found ? 0 : FIRST_SCREEN} />
                    </section>
                  ) : null}
                </div>
              )
            }}
          </LoadState>
        </div>
      </div>
    </div>
  )
}

function Count({ total, capped }: { total: number; capped: boolean }) {
  const t = useT()
  const lang = useLang()
  return capped
    ? t('products.countCapped', { n: formatNumber(total, lang) })
    : t('products.count', { n: total })
}

/**
 * Replaces the address: a filter is not a new page, so it adds no history entry and keeps scroll position and focus.
 */
function useFilterChange() {
  const navigate = useNavigate({ from: paths.products })
  return (next: ProductFilter | ((latest: ProductFilter) => ProductFilter)) =>
    void navigate({ search: next, replace: true, resetScroll: false })
}

function FilterRow({ filter, change }: { filter: ProductFilter; change: (next: ProductFilter) => void }) {
  const t = useT()
  const id = useId()
  // The header's search box changes the same address.
  const [text, setText] = useDebouncedSearchParam(filter.search ?? '', (words) =>
    change(withSearch(filter, words)),
  )

  return (
    <div className="filter-row">
      <div className="filter-name">
        <label htmlFor={`${id}-name`}>{t('products.filter')}</label>
        <input
          id={`${id}-name`}
          className="input"
          type="text"
          inputMode="search"
          autoComplete="off"
          placeholder={t('products.filterHint')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !text) return
            event.preventDefault()
            setText('')
          }}
        />
      </div>
      <div className="filter-sort">
        <label htmlFor={`${id}-sort`}>{t('products.sort')}</label>
        <select
          id={`${id}-sort`}
          className="input"
          value={filter.sort ?? 'featured'}
          onChange={(event) => change(withSort(filter, event.target.value as Sort))}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {t(`products.sort.${sort}`)}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

function withSearch({ search: _old, ...rest }: ProductFilter, search: string): ProductFilter {
  return search ? { ...rest, search } : rest
}

function withSort({ sort: _old, ...rest }: ProductFilter, sort: Sort): ProductFilter {
  return sort === 'featured' ? rest : { ...rest, sort }
}

function Categories({ filter }: { filter: ProductFilter }) {
  const { data: categories = [] } = useQuery(catalogueQueries.categories())
  const { category: chosen, ...rest } = filter
  return (
    <CategoryNav
      all
      categories={categories}
      current={chosen}
      link={(category, content) => (
        <Link
          className="chip"
          to={paths.products}
          search={category ? { ...rest, category: category.slug } : rest}
          replace
          resetScroll={false}
          activeOptions={{ exact: true, explicitUndefined: true }}
          aria-current={chosen === category?.slug ? 'true' : undefined}
        >
          {content}
        </Link>
      )}
    />
  )
}

/** Search results by another name. They have a heading only below results whose name contains the text. */
function Matches({
  products,
  match,
  more,
}: {
  products: Product[]
  match: string | undefined
  more: boolean
}) {
  const t = useT()
  if (!more) return <ShopProductGrid products={products} match={match} eager={FIRST_SCREEN} />
  return (
    <section className="section" aria-labelledby="more-results">
      <h2 id="more-results">{t('products.moreResults')}</h2>
      <ShopProductGrid products={products} match={match} />
    </section>
  )
}

/** Shown above products that probably match, so it is only one line. */
function NoExactMatch({ text }: { text: string }) {
  const t = useT()
  return (
    <p className="no-exact-match">
      {t('products.noExact', { text })}{' '}
      <Link className="link" to={paths.products} replace>
        {t('products.clear')}
      </Link>
    </p>
  )
}
