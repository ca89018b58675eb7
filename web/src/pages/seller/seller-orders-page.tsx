import '@/styles/orders.css'
import { useEffect, useRef, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { OrderSearch } from '@/features/orders/order-search'
import { ALL, allNewest, allOrders } from '@/features/orders/seller-api'
import { sellerEnded } from '@/features/orders/seller-ended'
import { CASES } from '@/features/orders/seller-open-cases'
import { SellerOrder } from '@/features/orders/seller-order'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { useLinkedOrder } from '@/features/orders/use-linked-order'
import { useLiveOrders } from '@/features/orders/use-live-orders'
import { useOpenCards, useOrderList } from '@/features/orders/use-order-list'
import { useT } from '@/lib/i18n'
import { useDebounced } from '@/lib/use-debounced'
import { LoadState } from '@/ui/load-state'
import { MoreButton } from '@/ui/more-button'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

const TYPING_MS = 250

export function SellerOrdersPage() {
  const t = useT()
  usePageTitle(t('seller.orders'))
  const [text, setText] = useState('')
  const [unpaid, setUnpaid] = useState(false)
  const search = useDebounced(text.trim(), TYPING_MS)
  const { query, orders } = useOrderList(allOrders(search, unpaid), true)
  const cards = useOpenCards()
  const news = useNews()
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
  useEffect(() => sellerEnded(query.error), [query.error])

  const settled = orders && !query.isPlaceholderData
  const show = (id: string) => {
    setText('')
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
      </div>
      <NewOrders ids={news.ids} onShow={show} />
      <OrderSearch label={t('sorder.search')} hint={t('sorder.search')} text={text} onChange={setText} />
      <Chips text={text} onPick={setText} />
      <label className="order-unpaid">
        <input type="checkbox" checked={unpaid} onChange={(event) => setUnpaid(event.target.checked)} />
        {t('sorder.unpaid')}
      </label>
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
                      onToggle={() => cards.toggle(order.orderId)}
                    />
                  </li>
                ))}
              </ul>
            ) : search ? (
              <StatePanel
                title={t('orders.noMatch', { text: search })}
                action={
                  <button type="button" className="button button-outline" onClick={() => setText('')}>
                    {t('seller.clear')}
                  </button>
                }
              />
            ) : (
              <StatePanel title={t('sorder.empty')} text={t('sorder.emptyText')} />
            )}
            <MoreButton of={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
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

function Chips({ text, onPick }: { text: string; onPick: (text: string) => void }) {
  const t = useT()
  const say = useStatusText()
  const chip = (value: string, label: string) => (
    <li key={value}>
      <button
        type="button"
        className="chip"
        aria-current={text.trim().toLowerCase() === value.toLowerCase() ? 'true' : undefined}
        onClick={() => onPick(value)}
      >
        {label}
      </button>
    </li>
  )
  return (
    <nav className="chips" aria-label={t('sorder.chips')}>
      <ul>
        {chip('', t('sorder.all'))}
        {STATUSES.map((status) => chip(status, say(status)))}
      </ul>
    </nav>
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
