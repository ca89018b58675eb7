import '@/styles/forms.css'
import '@/styles/seller-products.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { ExportButton } from '@/features/catalogue/seller-export'
import { readSellerFilter, SORTS, spellSellerFilter } from '@/features/catalogue/seller-filter'
import { useFlash } from '@/features/catalogue/seller-flash'
import { editButtonId } from '@/features/catalogue/seller-product-row'
import { ProductTable } from '@/features/catalogue/seller-product-table'
import {
  askListsAgain,
  type SellerFilter,
  type SellerProduct,
  type SellerSort,
  STOCK_FILTERS,
  sellerProducts,
} from '@/features/catalogue/seller-products-api'
import { useTypedAddress } from '@/features/catalogue/seller-typed'
import { OrderSearch } from '@/features/orders/order-search'
import { sellerEnded } from '@/features/orders/seller-ended'
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
  const [editing, setEditing] = useState<SellerProduct | null>(null)
  const [deleting, setDeleting] = useState<SellerProduct | null>(null)
  const [flashing, flash] = useFlash()
  useEffect(() => sellerEnded(query.error), [query.error])
  useDialogsAtHand(products !== undefined)

  const close = (stale: boolean) => {
    setEditing(null)
    setDeleting(null)
    if (stale) void askListsAgain()
  }
  const deleted = () => {
    const at = products?.findIndex(({ _id }) => _id === deleting?._id) ?? -1
    const next = products?.[at + 1] ?? products?.[at - 1]
    setDeleting(null)
    // After the dialog and the row are gone.
    setTimeout(() => document.getElementById(next ? editButtonId(next) : 'main')?.focus())
  }
  const clear = () => {
    setText('')
    focusOn('[type="search"]')
  }
  const showAll = () => {
    change({ ...filter, stock: 'all', sort: 'newest' })
    focusOn('.chip')
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
      <LoadState of={{ ...query, data: products }} problem="sprod.loadProblem" skeleton={<RowsSkeleton />}>
        {(list) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {list.length > 0 ? (
              <ProductTable
                products={list}
                filter={filter}
                flashing={flashing}
                onSort={(sort) => change({ ...filter, sort })}
                onEdit={setEditing}
                onDelete={setDeleting}
              />
            ) : (
              <Nothing filter={filter} onClear={clear} onAll={showAll} />
            )}
            <MoreButton of={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
      {editing ? (
        <EditProduct
          key={editing._id}
          product={editing}
          onSaved={(product) => {
            setEditing(null)
            flash(product._id)
          }}
          onClose={close}
        />
      ) : null}
      {deleting ? <DeleteProduct product={deleting} onDeleted={deleted} onClose={close} /> : null}
    </>
  )
}

/** The button that was pressed is about to go; whoever uses keys must not be left nowhere. */
const focusOn = (selector: string) => document.querySelector<HTMLElement>(`.seller-main ${selector}`)?.focus()

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
  if (search)
    return (
      <StatePanel
        title={t('sprod.noMatch', { text: search })}
        action={
          <button type="button" className="button button-outline" onClick={onClear}>
            {t('seller.clear')}
          </button>
        }
      />
    )
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

function RowsSkeleton() {
  return (
    <div className="shelf-blank skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="skeleton" data-testid="row-skeleton" />
      ))}
    </div>
  )
}
