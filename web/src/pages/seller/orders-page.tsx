import '@/styles/orders.css'
import '@/styles/seller-orders.css'
import '@/styles/seller-order-panel.css'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { queryClient } from '@/api/query-client'
import type { Order } from '@/features/orders/api'
import { BulkStatusBar } from '@/features/orders/seller/bulk-status-bar'
import { useKeyboardShortcuts } from '@/features/orders/seller/keyboard-shortcuts'
import { useMarkOpened } from '@/features/orders/seller/not-opened'
import { CASES_KEY } from '@/features/orders/seller/open-cases'
import { SellerOrderCard } from '@/features/orders/seller/order-card'
import { allOrders, fetchNewestOrders, SELLER_ORDERS_KEY, TO_DO } from '@/features/orders/seller/orders-api'
import type { AdjustedLines } from '@/features/orders/seller/packing-slips'
import { StatusChips } from '@/features/orders/seller/status-chips'
import { useOrderCounts } from '@/features/orders/seller/use-order-counts'
import { useOrderPanel } from '@/features/orders/seller/use-order-panel'
import { useSelection } from '@/features/orders/seller/use-selection'
import { SELLER_STREAM } from '@/features/orders/seller-stream'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { useLinkedOrder } from '@/features/orders/use-linked-order'
import { useLiveOrders } from '@/features/orders/use-live-orders'
import { useOpenCards, useOrderList } from '@/features/orders/use-order-list'
import { loadAdjustedLines } from '@/features/packing/seller/adjusted-lines'
import { type ListFilter, useListSettings } from '@/features/staff/list-settings'
import { NoMatch } from '@/features/staff/no-match'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { loadWithMessages, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { announce } from '@/ui/announcer'
import { ReceiptIcon, TruckIcon } from '@/ui/icons'
import { CheckCircleIcon } from '@/ui/icons-orders'
import { KeyboardIcon } from '@/ui/icons-seller'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SearchField } from '@/ui/search-field'
import { StatePanel } from '@/ui/state-panel'
import { useDebouncedSearchParam } from '@/ui/use-debounced-search-param'
import { useSearchParams } from '@/ui/use-search-params'

const TYPING_MS = 250
const NONE: Order[] = []
const NO_FILTER = { search: '', status: '' }
const COLUMNS = ['pictures', 'delivery', 'payment', 'phone'] as const
const USUAL_COLUMNS: string[] = ['pictures']

const ORDER_PANEL_ID = 'order-panel'

const loadDetails = () => import('@/features/orders/seller/order-details')
const loadPanel = () =>
  loadWithMessages('features/orders/seller/order-panel', () => import('@/features/orders/seller/order-panel'))
const Details = lazyWithRetry(
  async () => (await loadDetails()).SellerOrderDetails,
  <div className="order-details-skeleton skeleton" aria-hidden="true" />,
)
const Panel = lazyWithRetry(
  async () => (await loadPanel()).OrderPanel,
  <div className="skeleton" aria-hidden="true" />,
)
const OrderViews = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/orders/seller/order-views',
        () => import('@/features/orders/seller/order-views'),
      )
    ).OrderViews,
)
const LazyShortcutsHelp = lazyWithRetry(
  async () => (await import('@/features/orders/seller/shortcuts-help')).ShortcutsHelp,
)
const SellerOrderBills = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/billing/seller/order-bills',
        () => import('@/features/billing/seller/order-bills'),
      )
    ).SellerOrderBills,
)
/** Loads with the first packed order that is opened. */
const SellerPacking = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/packing/seller/seller-packing',
        () => import('@/features/packing/seller/seller-packing'),
      )
    ).SellerPacking,
)
const OrderStops = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/riders/seller/order-stops',
        () => import('@/features/riders/seller/order-stops'),
      )
    ).OrderStops,
)
const Slips = lazyWithRetry(async () => (await import('@/features/orders/seller/packing-slips')).PackingSlips)

/** The filters are in the address, so that they can be linked to and survive a reload. */
function useFilter() {
  const [read, write] = useSearchParams()
  const given = read('status')
  const status = given === TO_DO || STATUSES.some((each) => each === given) ? given : ''
  const unpaid = read('unpaid') === 'true'
  const search = read('search')
  const [text, setText] = useDebouncedSearchParam(search, (next) => write({ search: next }))
  const filter: ListFilter = { search, status, unpaid: unpaid ? 'true' : '' }
  return { search, status, unpaid, filter, text, setText, write }
}

export function SellerOrdersPage() {
  const t = useT()
  const say = useStatusText()
  usePageTitle(t('seller.nav.orders'))
  const { search, status, unpaid, filter, text, setText, write } = useFilter()
  const settings = useListSettings('orders')
  const columns = COLUMNS.filter((column) => (settings.columns ?? USUAL_COLUMNS).includes(column))
  const { query, orders } = useOrderList(allOrders({ search, status, unpaid }), true)
  const counts = useOrderCounts(unpaid, query.dataUpdatedAt)
  const selection = useSelection(orders ?? NONE)
  const cards = useOpenCards()
  const panel = useOrderPanel(orders)
  const [statusFocus, setStatusFocus] = useState(false)
  const statusFocused = useCallback(() => setStatusFocus(false), [])
  const isOpen = (id: string) => (panel.wide ? panel.id === id : cards.isOpen(id))
  const openOrder = (id: string) => (panel.wide ? panel.open(id) : cards.show(id))
  const news = useNewOrders()
  useMarkOpened(panel.order ? [panel.order] : (orders?.filter(({ orderId }) => isOpen(orderId)) ?? NONE))
  usePreloadedParts(orders !== undefined, panel.wide)
  const [helping, setHelping] = useState(false)
  const [printing, setPrinting] = useState<{
    orders: Order[]
    adjusted: AdjustedLines
    turn: number
  } | null>(null)
  // Not every browser reports the end of printing, so the next press prints again in any case.
  const print = async (list: Order[]) => {
    const adjusted = await loadAdjustedLines(list)
    setPrinting((now) => ({ orders: list, adjusted, turn: (now?.turn ?? 0) + 1 }))
  }
  const printed = useCallback(() => setPrinting(null), [])
  const [pendingStatus, setPendingStatus] = useState<{ id: string; status: string } | null>(null)
  useLiveOrders({
    address: SELLER_STREAM,
    lists: SELLER_ORDERS_KEY,
    newest: async () => {
      const page = await fetchNewestOrders()
      news.looked(page.data.map(({ orderId }) => orderId))
      return page
    },
    onFailed: handleSellerSessionEnded,
    onOrder: ({ orderId, placed }) => {
      if (placed) news.add(orderId)
      void queryClient.invalidateQueries({ queryKey: CASES_KEY })
    },
  })
  // A case may be about an order that the list hides until it is paid.
  const find = (id: string) => {
    // The panel fetches an order that the list does not have.
    if (!panel.wide) write({ search: id, unpaid: 'true' })
  }
  const linkable = query.isPlaceholderData ? undefined : orders
  useLinkedOrder(linkable, openOrder, find, panel.wide ? '' : panel.linked)
  useKeyboardShortcuts(orders ?? NONE, {
    select: ({ _id, orderId }) => {
      selection.toggle(_id)
      // The checkbox does not have the focus, so the change must be announced.
      announce(
        t(selection.has(_id) ? 'seller.orders.select.unselected' : 'seller.orders.select.selected', {
          id: orderId,
        }),
      )
    },
    goToStatus: ({ orderId }) => {
      openOrder(orderId)
      if (panel.wide) setStatusFocus(true)
      // The card must be drawn open first.
      else setTimeout(() => document.getElementById(orderId)?.querySelector('select')?.focus())
    },
    step: panel.id ? panel.step : null,
    setStatus: ({ _id, orderId }, next) => {
      openOrder(orderId)
      setPendingStatus({ id: _id, status: next })
    },
    help: () => setHelping(true),
  })
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])

  const settled = orders && !query.isPlaceholderData
  const filtered = search !== '' || status !== ''
  const clear = () => {
    setText('')
    write(NO_FILTER)
  }
  const show = (id: string) => {
    news.clear()
    setText('')
    if (panel.wide) {
      panel.open(id, NO_FILTER)
      return
    }
    write(NO_FILTER)
    cards.show(id)
    // The list without a filter must be drawn first.
    setTimeout(() => document.getElementById(id)?.querySelector('button')?.focus(), TYPING_MS + 100)
  }
  const toggle = (id: string) => {
    if (!panel.wide) cards.toggle(id)
    else if (panel.id === id) panel.close()
    else panel.open(id)
  }
  const details = (order: Order) => (
    <Details
      key={order._id}
      order={order}
      pendingStatus={pendingStatus?.id === order._id ? pendingStatus.status : null}
      onPendingStatusTaken={() => setPendingStatus(null)}
      onPrint={() => void print([order])}
      more={
        <>
          {order.amountDue === undefined ? null : <SellerPacking order={order} />}
          <OrderStops order={order} />
          <SellerOrderBills order={order} />
        </>
      }
    />
  )
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.orders')}</h1>
        <p className="muted" role="status">
          {settled && search ? t('orders.count', { n: orders.length }) : ''}
        </p>
        <div className="seller-page-tools">
          <button
            type="button"
            className="button button-plain shortcuts-button"
            onClick={() => setHelping(true)}
          >
            <KeyboardIcon />
            {t('seller.orders.shortcuts.title')}
          </button>
          <Link className="button button-outline" to={paths.sellerDelivery}>
            <TruckIcon />
            {t('seller.delivery.title')}
          </Link>
        </div>
      </div>
      <NewOrders ids={news.ids} onShow={show} />
      <div className="order-views">
        <OrderViews
          settings={settings}
          counts={counts}
          filter={filter}
          columns={columns}
          onPick={(next) => {
            setText(next.search ?? '')
            write({ search: '', status: '', unpaid: '', ...next })
          }}
        />
      </div>
      <SearchField
        label={t('seller.orders.search')}
        hint={t('seller.orders.searchHint')}
        text={text}
        onChange={setText}
      />
      <StatusChips status={status} counts={counts} onPick={(next) => write({ status: next })} />
      <div className="order-select-row">
        <label className="checkbox-label">
          <input
            type="checkbox"
            checked={unpaid}
            onChange={(event) => write({ unpaid: event.target.checked ? 'true' : '' })}
          />
          {t('seller.orders.showUnpaid')}
        </label>
        {orders && orders.length > 0 ? (
          <label className="checkbox-label">
            <input
              type="checkbox"
              ref={(box) => {
                if (box) box.indeterminate = selection.chosen.length > 0 && !selection.all
              }}
              checked={selection.all}
              onChange={() => selection.only(selection.all ? [] : orders.map(({ _id }) => _id))}
            />
            {t('seller.orders.select.all')}
          </label>
        ) : null}
      </div>
      <BulkStatusBar chosen={selection.chosen} onKeep={selection.only} onPrint={print} />
      <LoadState query={{ ...query, data: orders }} problem="orders.loadProblem" skeleton={<RowsSkeleton />}>
        {(list) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {list.length > 0 ? (
              <ul className="orders">
                {list.map((order) => (
                  <li key={order._id}>
                    <SellerOrderCard
                      order={order}
                      open={isOpen(order.orderId)}
                      columns={columns}
                      panel={panel.wide ? ORDER_PANEL_ID : undefined}
                      fresh={news.ids.includes(order.orderId)}
                      ticked={selection.has(order._id)}
                      onToggle={() => toggle(order.orderId)}
                      onTick={() => selection.toggle(order._id)}
                    >
                      {details(order)}
                    </SellerOrderCard>
                  </li>
                ))}
              </ul>
            ) : status === TO_DO && search === '' ? (
              <StatePanel
                icon={<CheckCircleIcon size={36} />}
                title={t('seller.orders.nothingToDo')}
                text={t('seller.orders.nothingToDoText')}
              />
            ) : filtered ? (
              <NoMatch
                title={t('orders.noMatch', {
                  text: [search, status === TO_DO ? '' : say(status)].filter(Boolean).join(' · '),
                })}
                onClear={clear}
              />
            ) : (
              <StatePanel
                icon={<ReceiptIcon size={36} />}
                title={t('seller.orders.empty')}
                text={t('seller.orders.emptyText')}
              />
            )}
            <LoadMoreButton query={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
      {panel.id ? (
        <div className="order-panel-slot">
          <Panel
            panelId={ORDER_PANEL_ID}
            id={panel.id}
            order={panel.order}
            isMissing={panel.isMissing}
            hasNext={panel.hasNext}
            hasPrevious={panel.hasPrevious}
            startsAtStatus={statusFocus}
            onStarted={statusFocused}
            onStep={panel.step}
            onClose={panel.close}
          >
            {panel.order ? details(panel.order) : null}
          </Panel>
        </div>
      ) : null}
      {helping ? <LazyShortcutsHelp onClose={() => setHelping(false)} /> : null}
      {printing ? (
        <Slips key={printing.turn} orders={printing.orders} adjusted={printing.adjusted} onDone={printed} />
      ) : null}
    </>
  )
}

/** Loads what an open order needs after the list, so that the first click does not wait. */
function usePreloadedParts(isListShown: boolean, wide: boolean) {
  useEffect(() => {
    if (!isListShown) return
    // A failure is told when the part is needed.
    for (const load of wide ? [loadDetails, loadPanel] : [loadDetails]) load().catch(() => {})
  }, [isListShown, wide])
}

/** Orders that arrived while the page was open and have not been looked at yet. */
function useNewOrders() {
  const [ids, setIds] = useState<string[]>([])
  const known = useRef<Set<string> | null>(null)
  const add = (id: string) => {
    known.current?.add(id)
    setIds((all) => (all.includes(id) ? all : [...all, id]))
  }
  return {
    ids,
    add,
    clear: () => setIds([]),
    /** The first call only records the existing orders. */
    looked: (all: string[]) => {
      const before = known.current
      known.current = new Set([...(before ?? []), ...all])
      if (before) for (const id of all) if (!before.has(id)) add(id)
    },
  }
}

/** A notice that moves neither the focus nor the scroll position. */
function NewOrders({ ids, onShow }: { ids: string[]; onShow: (id: string) => void }) {
  const t = useT()
  const newest = ids.at(-1)
  return (
    <div role="status">
      {newest ? (
        <p className="new-orders" data-testid="new-order">
          <span>
            {ids.length === 1
              ? t('seller.orders.newOrder', { id: newest })
              : t('seller.orders.newOrders', { n: ids.length })}
          </span>
          <button type="button" className="button button-accent" onClick={() => onShow(newest)}>
            {t('seller.orders.show')}
          </button>
        </p>
      ) : null}
    </div>
  )
}

function RowsSkeleton() {
  return (
    <div className="orders skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="order-skeleton skeleton" />
      ))}
    </div>
  )
}
