import '@/styles/orders.css'
import '@/styles/desk.css'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { queryClient } from '@/api/query-client'
import type { Order } from '@/features/orders/api'
import { OrderSearch } from '@/features/orders/order-search'
import { ALL, allNewest, allOrders } from '@/features/orders/seller-api'
import { SellerBulk } from '@/features/orders/seller-bulk'
import { SellerChips } from '@/features/orders/seller-chips'
import { sellerEnded } from '@/features/orders/seller-ended'
import { useDeskKeys } from '@/features/orders/seller-keys'
import { CASES } from '@/features/orders/seller-open-cases'
import { SellerOrder } from '@/features/orders/seller-order'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { useLinkedOrder } from '@/features/orders/use-linked-order'
import { useLiveOrders } from '@/features/orders/use-live-orders'
import { useOrderCounts } from '@/features/orders/use-order-counts'
import { useOpenCards, useOrderList } from '@/features/orders/use-order-list'
import { useSelection } from '@/features/orders/use-selection'
import { NoMatch } from '@/features/seller/seller-no-match'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { announce } from '@/ui/announcer'
import { TruckIcon } from '@/ui/icons'
import { KeyboardIcon } from '@/ui/icons-seller'
import { lazyPart } from '@/ui/lazy-part'
import { LoadState } from '@/ui/load-state'
import { MoreButton } from '@/ui/more-button'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useAddress } from '@/ui/use-address'

const TYPING_MS = 250
const NONE: Order[] = []

const KeysHelp = lazyPart(async () => (await import('@/features/orders/seller-keys-help')).SellerKeysHelp)
const Slips = lazyPart(async () => (await import('@/features/orders/seller-slips')).SellerSlips)

/** The chip is in the address, so that it can be linked to and survives a reload. */
function useStatusInAddress(): [status: string, set: (status: string) => void] {
  const [read, write] = useAddress()
  const status = read('status')
  return [STATUSES.some((each) => each === status) ? status : '', (next) => write({ status: next })]
}

export function SellerOrdersPage() {
  const t = useT()
  const say = useStatusText()
  usePageTitle(t('seller.orders'))
  const [text, setText] = useState('')
  const [unpaid, setUnpaid] = useState(false)
  const [status, setStatus] = useStatusInAddress()
  const search = useDebounced(text.trim(), TYPING_MS)
  const { query, orders } = useOrderList(allOrders({ search, status, unpaid }), true)
  const counts = useOrderCounts(unpaid, query.dataUpdatedAt)
  const selection = useSelection(orders ?? NONE)
  const cards = useOpenCards()
  const news = useNews()
  const [helping, setHelping] = useState(false)
  const [printing, setPrinting] = useState<{ orders: Order[]; turn: number } | null>(null)
  // Not every browser says when it has printed: the next press then has to print anew, whatever is still there.
  const print = (list: Order[]) => setPrinting((now) => ({ orders: list, turn: (now?.turn ?? 0) + 1 }))
  const printed = useCallback(() => setPrinting(null), [])
  const [wish, setWish] = useState<{ id: string; status: string } | null>(null)
  useLiveOrders({
    address: '/api/order/live_all',
    lists: ALL,
    newest: async () => {
      const page = await allNewest()
      news.looked(page.data.map(({ orderId }) => orderId))
      return page
    },
    onFailed: sellerEnded,
    onOrder: ({ orderId, placed }) => {
      if (placed) news.add(orderId)
      void queryClient.invalidateQueries({ queryKey: CASES })
    },
  })
  // A case may be about an order that the list hides until it is paid.
  useLinkedOrder(query.isPlaceholderData ? undefined : orders, cards.show, (id) => {
    setText(id)
    setUnpaid(true)
  })
  useDeskKeys(orders ?? NONE, {
    select: ({ _id, orderId }) => {
      selection.toggle(_id)
      // The box is not where the keyboard is, so it cannot say it itself.
      announce(t(selection.has(_id) ? 'sdesk.unselected' : 'sdesk.selected', { id: orderId }))
    },
    open: ({ orderId }) => cards.show(orderId),
    setStatus: ({ _id, orderId }, next) => {
      cards.show(orderId)
      setWish({ id: _id, status: next })
    },
    help: () => setHelping(true),
  })
  useEffect(() => sellerEnded(query.error), [query.error])

  const settled = orders && !query.isPlaceholderData
  const filtered = search !== '' || status !== ''
  const clear = () => {
    setText('')
    if (status) setStatus('')
  }
  const show = (id: string) => {
    clear()
    cards.show(id)
    news.clear()
    // After the list without a filter has been drawn.
    setTimeout(() => document.getElementById(id)?.querySelector('button')?.focus(), TYPING_MS + 100)
  }
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.orders')}</h1>
        <p className="muted" role="status">
          {settled && search ? t('orders.count', { n: orders.length }) : ''}
        </p>
        <div className="desk-tools">
          <button type="button" className="button button-plain desk-keys" onClick={() => setHelping(true)}>
            <KeyboardIcon />
            {t('sdesk.keys.title')}
          </button>
          <Link className="button button-outline" to={paths.sellerDelivery}>
            <TruckIcon />
            {t('sdesk.sheet.title')}
          </Link>
        </div>
      </div>
      <NewOrders ids={news.ids} onShow={show} />
      <OrderSearch label={t('sorder.search')} hint={t('sorder.searchHint')} text={text} onChange={setText} />
      <SellerChips status={status} counts={counts} onPick={setStatus} />
      <div className="desk-row">
        <label className="tick">
          <input type="checkbox" checked={unpaid} onChange={(event) => setUnpaid(event.target.checked)} />
          {t('sorder.unpaid')}
        </label>
        {orders && orders.length > 0 ? (
          <label className="tick">
            <input
              type="checkbox"
              ref={(box) => {
                if (box) box.indeterminate = selection.chosen.length > 0 && !selection.all
              }}
              checked={selection.all}
              onChange={() => selection.only(selection.all ? [] : orders.map(({ _id }) => _id))}
            />
            {t('sdesk.selectAll')}
          </label>
        ) : null}
      </div>
      <SellerBulk chosen={selection.chosen} onKeep={selection.only} onPrint={print} />
      <LoadState of={{ ...query, data: orders }} problem="orders.loadProblem" skeleton={<RowsSkeleton />}>
        {(list) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {list.length > 0 ? (
              <ul className="orders">
                {list.map((order) => (
                  <li key={order._id}>
                    <SellerOrder
                      order={order}
                      open={cards.isOpen(order.orderId)}
                      fresh={news.ids.includes(order.orderId)}
                      ticked={selection.has(order._id)}
                      wish={wish?.id === order._id ? wish.status : null}
                      onToggle={() => cards.toggle(order.orderId)}
                      onTick={() => selection.toggle(order._id)}
                      onWishTaken={() => setWish(null)}
                      onPrint={() => print([order])}
                    />
                  </li>
                ))}
              </ul>
            ) : filtered ? (
              <NoMatch
                title={t('orders.noMatch', { text: [search, say(status)].filter(Boolean).join(' · ') })}
                onClear={clear}
              />
            ) : (
              <StatePanel title={t('sorder.empty')} text={t('sorder.emptyText')} />
            )}
            <MoreButton of={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
      {helping ? <KeysHelp onClose={() => setHelping(false)} /> : null}
      {printing ? <Slips key={printing.turn} orders={printing.orders} onDone={printed} /> : null}
    </>
  )
}

/** Orders that came in while the page was open and nobody has looked at yet. */
function useNews() {
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
    /** The first look only learns what is there. */
    looked: (all: string[]) => {
      const before = known.current
      known.current = new Set([...(before ?? []), ...all])
      if (before) for (const id of all) if (!before.has(id)) add(id)
    },
  }
}

/** A soft notice: it takes neither the focus nor the place one is reading at. */
function NewOrders({ ids, onShow }: { ids: string[]; onShow: (id: string) => void }) {
  const t = useT()
  const newest = ids.at(-1)
  return (
    <div role="status">
      {newest ? (
        <p className="order-news" data-testid="new-order">
          <span>
            {ids.length === 1 ? t('sorder.new', { id: newest }) : t('sorder.newMany', { n: ids.length })}
          </span>
          <button type="button" className="button button-accent" onClick={() => onShow(newest)}>
            {t('sorder.show')}
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
        <div key={row} className="order-blank skeleton" />
      ))}
    </div>
  )
}
