import '@/styles/forms.css'
import '@/styles/seller-products.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { ExportButton } from '@/features/catalogue/seller-export'
import { readSellerFilter, SORTS, spellSellerFilter } from '@/features/catalogue/seller-filter'
import { ProductTable } from '@/features/catalogue/seller-product-table'
import {
  askListsAgain,
  type SellerFilter,
  type SellerSort,
  STOCK_FILTERS,
  sellerProducts,
} from '@/features/catalogue/seller-products-api'
import { useRowDialogs } from '@/features/catalogue/seller-row-dialogs'
import { ShelfSkeleton } from '@/features/catalogue/seller-shelf-table'
import { OrderSearch } from '@/features/orders/order-search'
import { sellerEnded } from '@/features/orders/seller-ended'
import { NoMatch } from '@/features/seller/seller-no-match'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { PlusIcon } from '@/ui/icons'
import { UploadIcon } from '@/ui/icons-shelves'
import { lazyPart } from '@/ui/lazy-part'
import { LoadState } from '@/ui/load-state'
import { MoreButton } from '@/ui/more-button'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useTypedAddress } from '@/ui/use-typed-address'

const loadEdit = () => import('@/features/catalogue/seller-edit-product')
const loadDelete = () => import('@/features/catalogue/seller-delete-product')
const EditProduct = lazyPart(async () => (await loadEdit()).EditProduct)
const DeleteProduct = lazyPart(async () => (await loadDelete()).DeleteProduct)

const IDLE_MS = 1500
const CHIPS = { all: 'sprod.all', low: 'stock.low', out: 'stock.out' } as const

export function ProductListPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.list'))
  const [filter, change] = useFilter()
  const [text, setText] = useTypedAddress(filter.search, (search) => change({ ...filter, search }))
  const query = useInfiniteQuery(sellerProducts(filter))
  const newest = query.data?.pages.at(-1)
  const products = query.data?.pages.flatMap(({ data }) => data)
  const dialogs = useRowDialogs(products, askListsAgain)
  useEffect(() => sellerEnded(query.error), [query.error])
  useDialogsAtHand(products !== undefined)

  const showAll = () => {
    change({ ...filter, stock: 'all', sort: 'newest' })
    // The button that was pressed is about to go; whoever uses keys must not be left nowhere.
    document.querySelector<HTMLElement>('.seller-main .chip')?.focus()
  }
  const total =
    newest && !query.isPlaceholderData
      ? newest.totalCapped
        ? t('sprod.countCapped', { n: formatNumber(newest.total, lang) })
        : t('sprod.count', { n: newest.total })
      : ''

  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.list')}</h1>
        <div className="title-tools">
          <ExportButton />
          <Link className="button button-outline" to={paths.sellerImport}>
            <UploadIcon />
            {t('sprod.import')}
          </Link>
        </div>
      </div>
      <div className="list-tools">
        <OrderSearch label={t('sprod.search')} hint={t('sprod.search')} text={text} onChange={setText} />
        <Link className="button button-primary" to={paths.sellerAddProduct}>
          <PlusIcon />
          {t('seller.addNew')}
        </Link>
      </div>
      <nav className="chips shelf-chips" aria-label={t('sprod.chips')}>
        <ul>
          {STOCK_FILTERS.map((stock) => (
            <li key={stock}>
              <button
                type="button"
                className="chip"
                aria-current={filter.stock === stock ? 'true' : undefined}
                onClick={() => change({ ...filter, stock, sort: SORTS[stock][0] as SellerSort })}
              >
                {t(CHIPS[stock])}
                {/* Its room is there before the number is, so that nothing jumps. */}
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
      <LoadState of={{ ...query, data: products }} problem="sprod.loadProblem" skeleton={<ShelfSkeleton />}>
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
              <Nothing filter={filter} onClear={() => setText('')} onAll={showAll} />
            )}
            <MoreButton of={query} label="products.loadMore" />
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

/** Once the list is there and nothing else to do, its dialogs are fetched: the first press must not wait for them. */
function useDialogsAtHand(listed: boolean) {
  useEffect(() => {
    if (!listed) return undefined
    const timer = setTimeout(() => Promise.allSettled([loadEdit(), loadDelete()]), IDLE_MS)
    return () => clearTimeout(timer)
  }, [listed])
}

/** The filter lives in the address: a link leads to the same list, and Back to the one before. */
function useFilter() {
  const navigate = useNavigate()
  const filter = readSellerFilter(useSearch({ strict: false }) as Record<string, unknown>)
  const change = (next: SellerFilter) =>
    void navigate({
      to: paths.seller,
      search: spellSellerFilter(next) as never,
      replace: true,
      resetScroll: false,
    })
  return [filter, change] as const
}

/** On phones the columns have no heads to press. */
function SortSelect({ filter, change }: { filter: SellerFilter; change: (next: SellerFilter) => void }) {
  const t = useT()
  const id = useId()
  return (
    <div className="list-sort">
      <label className="sr-only" htmlFor={id}>
        {t('sprod.sort')}
      </label>
      <select
        id={id}
        className="input"
        value={filter.sort}
        onChange={(event) => change({ ...filter, sort: event.target.value as SellerSort })}
      >
        {SORTS[filter.stock].map((sort) => (
          <option key={sort} value={sort}>
            {t(`sprod.sort.${sort}`)}
          </option>
        ))}
      </select>
    </div>
  )
}

type NothingProps = { filter: SellerFilter; onClear: () => void; onAll: () => void }

function Nothing({ filter: { search, stock }, onClear, onAll }: NothingProps) {
  const t = useT()
  if (search) return <NoMatch title={t('sprod.noMatch', { text: search })} onClear={onClear} />
  if (stock !== 'all') {
    const title: MessageId = stock === 'low' ? 'sprod.noneLow' : 'sprod.noneOut'
    return (
      <StatePanel
        title={t(title)}
        action={
          <button type="button" className="button button-outline" onClick={onAll}>
            {t('sprod.showAll')}
          </button>
        }
      />
    )
  }
  return (
    <StatePanel
      title={t('sprod.none')}
      text={t('sprod.noneText')}
      action={
        <Link className="button button-primary" to={paths.sellerAddProduct}>
          {t('seller.addNew')}
        </Link>
      }
    />
  )
}
