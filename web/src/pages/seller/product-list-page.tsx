import '@/styles/forms.css'
import '@/styles/seller-products.css'
import '@/styles/seller-product-forms.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { CatalogueTableSkeleton } from '@/features/catalogue/seller/catalogue-table'
import { ExportButton } from '@/features/catalogue/seller/export-button'
import { parseProductFilter, SORTS, serializeProductFilter } from '@/features/catalogue/seller/product-filter'
import { ProductTable } from '@/features/catalogue/seller/product-table'
import {
  refetchProductLists,
  type SellerProductFilter,
  type SellerProductSort,
  STOCK_FILTERS,
  sellerProducts,
} from '@/features/catalogue/seller/products-api'
import { useRowDialogs } from '@/features/catalogue/seller/use-row-dialogs'
import { NoMatch } from '@/features/staff/no-match'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { PlusIcon } from '@/ui/icons'
import { UploadIcon } from '@/ui/icons-catalogue'
import { BoxIcon, ClipboardCheckIcon } from '@/ui/icons-seller'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SearchField } from '@/ui/search-field'
import { StatePanel } from '@/ui/state-panel'
import { useDebouncedSearchParam } from '@/ui/use-debounced-search-param'

const loadEdit = () => import('@/features/catalogue/seller/edit-product')
const loadDelete = () => import('@/features/catalogue/seller/delete-product')
const EditProduct = lazyWithRetry(async () => (await loadEdit()).EditProduct)
const DeleteProduct = lazyWithRetry(async () => (await loadDelete()).DeleteProduct)

const IDLE_MS = 1500
const CHIPS = { all: 'seller.products.all', low: 'seller.products.low', out: 'stock.out' } as const

export function ProductListPage() {
  const t = useT()
  const lang = useLang()
  const may = useMay()
  usePageTitle(t('seller.nav.products'))
  const [filter, change] = useFilter()
  const [text, setText] = useDebouncedSearchParam(filter.search, (search) => change({ ...filter, search }))
  const query = useInfiniteQuery(sellerProducts(filter))
  const newest = query.data?.pages.at(-1)
  const products = query.data?.pages.flatMap(({ data }) => data)
  const dialogs = useRowDialogs(products, refetchProductLists)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  usePreloadedDialogs(products !== undefined)

  const showAll = () => {
    change({ ...filter, stock: 'all', sort: 'newest' })
    // The pressed button is about to disappear, and the keyboard focus must not be lost.
    document.querySelector<HTMLElement>('.seller-main .chip')?.focus()
  }
  const total =
    newest && !query.isPlaceholderData
      ? newest.totalCapped
        ? t('seller.products.countCapped', { n: formatNumber(newest.total, lang) })
        : t('seller.products.count', { n: newest.total })
      : ''

  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.products')}</h1>
        <div className="title-tools">
          {may('products.export') ? <ExportButton /> : null}
          {may('products.import') ? (
            <Link className="button button-outline" to={paths.sellerImport}>
              <UploadIcon />
              {t('seller.products.import')}
            </Link>
          ) : null}
        </div>
      </div>
      <div className="list-tools">
        <SearchField
          label={t('seller.products.search')}
          hint={t('seller.products.search')}
          text={text}
          onChange={setText}
        />
        {may('products.edit') ? (
          <Link className="button button-primary" to={paths.sellerAddProduct}>
            <PlusIcon />
            {t('seller.nav.addProduct')}
          </Link>
        ) : null}
      </div>
      <nav className="chips catalogue-chips" aria-label={t('seller.products.filterByStock')}>
        <ul>
          {STOCK_FILTERS.map((stock) => (
            <li key={stock}>
              <button
                type="button"
                className="chip"
                aria-current={filter.stock === stock ? 'true' : undefined}
                onClick={() => change({ ...filter, stock, sort: SORTS[stock][0] as SellerProductSort })}
              >
                {t(CHIPS[stock])}
                {/* The space is reserved before the number arrives, so that nothing moves. */}
                <span className="chip-count">{newest ? formatNumber(newest.counts[stock], lang) : ''}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="list-facts">
        <p className="muted" role="status" data-testid="count">
          {total}
        </p>
        <SortSelect filter={filter} change={change} />
      </div>
      <LoadState
        query={{ ...query, data: products }}
        problem="seller.products.loadProblem"
        skeleton={<CatalogueTableSkeleton />}
      >
        {(list) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {list.length > 0 ? (
              <ProductTable
                products={list}
                filter={filter}
                flashing={dialogs.flashing}
                onSort={(sort) => change({ ...filter, sort })}
                onEdit={dialogs.setEditing}
                onDelete={dialogs.setDeleting}
              />
            ) : (
              <EmptyList filter={filter} onClear={() => setText('')} onAll={showAll} />
            )}
            <LoadMoreButton query={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
      {dialogs.editing ? (
        <EditProduct
          key={dialogs.editing._id}
          product={dialogs.editing}
          onSaved={dialogs.saved}
          onClose={dialogs.close}
        />
      ) : null}
      {dialogs.deleting ? (
        <DeleteProduct product={dialogs.deleting} onDeleted={dialogs.deleted} onClose={dialogs.close} />
      ) : null}
    </>
  )
}

/** Preloads the dialogs once the list is shown, so that the first press does not wait for them. */
function usePreloadedDialogs(listed: boolean) {
  useEffect(() => {
    if (!listed) return undefined
    const timer = setTimeout(() => Promise.allSettled([loadEdit(), loadDelete()]), IDLE_MS)
    return () => clearTimeout(timer)
  }, [listed])
}

/** The filter is in the address: a link leads to the same list, and Back to the previous one. */
function useFilter() {
  const navigate = useNavigate()
  const filter = parseProductFilter(useSearch({ strict: false }) as Record<string, unknown>)
  const change = (next: SellerProductFilter) =>
    void navigate({
      to: paths.seller,
      search: serializeProductFilter(next) as never,
      replace: true,
      resetScroll: false,
    })
  return [filter, change] as const
}

/** On phones the table has no column headings to press. */
function SortSelect({
  filter,
  change,
}: {
  filter: SellerProductFilter
  change: (next: SellerProductFilter) => void
}) {
  const t = useT()
  const id = useId()
  return (
    <div className="list-sort">
      <label className="sr-only" htmlFor={id}>
        {t('seller.products.sort')}
      </label>
      <select
        id={id}
        className="input"
        value={filter.sort}
        onChange={(event) => change({ ...filter, sort: event.target.value as SellerProductSort })}
      >
        {SORTS[filter.stock].map((sort) => (
          <option key={sort} value={sort}>
            {t(`seller.products.sort.${sort}`)}
          </option>
        ))}
      </select>
    </div>
  )
}

type EmptyListProps = { filter: SellerProductFilter; onClear: () => void; onAll: () => void }

function EmptyList({ filter: { search, stock }, onClear, onAll }: EmptyListProps) {
  const t = useT()
  if (search) return <NoMatch title={t('seller.products.noMatch', { text: search })} onClear={onClear} />
  if (stock !== 'all') {
    const title: MessageId = stock === 'low' ? 'seller.products.noneLow' : 'seller.products.noneOut'
    return (
      <StatePanel
        icon={<ClipboardCheckIcon size={36} />}
        title={t(title)}
        action={
          <button type="button" className="button button-outline" onClick={onAll}>
            {t('seller.products.showAll')}
          </button>
        }
      />
    )
  }
  return (
    <StatePanel
      icon={<BoxIcon size={36} />}
      title={t('seller.products.none')}
      text={t('seller.products.noneText')}
      action={
        <Link className="button button-primary" to={paths.sellerAddProduct}>
          {t('seller.nav.addProduct')}
        </Link>
      }
    />
  )
}
