import '@/styles/orders.css'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LoginButton } from '@/features/accounts/header-account'
import { prefetchSession, useUser } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { fetchMyNewest, MY_ORDERS_KEY, myOrders } from '@/features/orders/api'
import { OrderCard } from '@/features/orders/order-card'
import { useLinkedOrder } from '@/features/orders/use-linked-order'
import { useLiveOrders } from '@/features/orders/use-live-orders'
import { useOpenCards, useOrderList } from '@/features/orders/use-order-list'
import { loadWithMessages, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { ReceiptIcon, SearchIcon } from '@/ui/icons'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SearchField } from '@/ui/search-field'
import { StatePanel } from '@/ui/state-panel'
import { toast } from '@/ui/toast'

const TYPING_MS = 250

/** Loads with the first opened card. */
const DeliveryCode = lazyWithRetry(async () => {
  const module = await loadWithMessages(
    'features/riders/delivery-code',
    () => import('@/features/riders/delivery-code'),
  )
  return module.DeliveryCode
})

const OrderComplaints = lazyWithRetry(async () => {
  const module = await loadWithMessages(
    'features/complaints/order-complaints',
    () => import('@/features/complaints/order-complaints'),
  )
  return module.OrderComplaints
})

const OrderBills = lazyWithRetry(async () => {
  const module = await loadWithMessages(
    'features/billing/order-bills',
    () => import('@/features/billing/order-bills'),
  )
  return module.OrderBills
})

/** Loads with the first opened card too. */
const OrderPacking = lazyWithRetry(async () => {
  const module = await loadWithMessages(
    'features/packing/order-packing',
    () => import('@/features/packing/order-packing'),
  )
  return module.OrderPacking
})

export function OrdersPage() {
  const t = useT()
  const { user, pending } = useUser()
  usePageTitle(t('orders.title'))
  useEffect(() => {
    void prefetchSession('user')
  }, [])
  return (
    <div className="wrap page orders-page">
      <h1>{t('orders.title')}</h1>
      {user ? (
        <Orders />
      ) : pending ? (
        <CardsSkeleton />
      ) : (
        <StatePanel
          icon={<ReceiptIcon size={36} />}
          title={t('orders.login')}
          action={<LoginButton className="button button-primary" />}
        />
      )}
    </div>
  )
}

function Orders() {
  const t = useT()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), TYPING_MS)
  const { query, orders } = useOrderList(myOrders(search), true)
  const cards = useOpenCards()
  useLiveOrders({
    address: '/api/order/live',
    lists: MY_ORDERS_KEY,
    newest: fetchMyNewest,
    onFailed: handleSessionEnded,
  })
  useLinkedOrder(query.isPlaceholderData ? undefined : orders, cards.show, (id) => {
    if (orders?.length) setText(id)
  })
  // If the session has ended elsewhere, the page offers the login.
  useEffect(() => void handleSessionEnded(query.error), [query.error])
  const settled = orders && !query.isPlaceholderData
  const none = settled && orders.length === 0 && search === ''
  useEffect(() => {
    if (none) toast.error('orders.none')
  }, [none])

  if (none && text === '') {
    return (
      <StatePanel
        icon={<ReceiptIcon size={36} />}
        title={t('orders.empty')}
        action={
          <Link className="button button-primary" to={paths.categories}>
            {t('orders.start')}
          </Link>
        }
      />
    )
  }
  return (
    <>
      <SearchField label={t('orders.search')} hint={t('orders.searchHint')} text={text} onChange={setText} />
      <p className="sr-only" role="status">
        {settled ? t('orders.count', { n: orders.length }) : ''}
      </p>
      <LoadState query={{ ...query, data: orders }} problem="orders.loadProblem" skeleton={<CardsSkeleton />}>
        {(list) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {list.length > 0 ? (
              <ul className="orders">
                {list.map((order) => (
                  <li key={order._id}>
                    <OrderCard
                      order={order}
                      open={cards.isOpen(order.orderId)}
                      onToggle={() => cards.toggle(order.orderId)}
                      more={
                        <>
                          {order.status === 'Out for Delivery' ? <DeliveryCode order={order} /> : null}
                          {order.status === 'Cancelled' ? null : <OrderPacking order={order} />}
                          <OrderBills order={order} />
                          {order.status === 'Cancelled' ? null : <OrderComplaints order={order} />}
                        </>
                      }
                    />
                  </li>
                ))}
              </ul>
            ) : (
              <StatePanel
                icon={<SearchIcon size={36} />}
                title={t('orders.noMatch', { text: search })}
                action={
                  <button type="button" className="button button-outline" onClick={() => setText('')}>
                    {t('products.clear')}
                  </button>
                }
              />
            )}
            <LoadMoreButton query={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
    </>
  )
}

function CardsSkeleton() {
  return (
    <div className="orders skeleton-late" aria-hidden="true">
      {[1, 2, 3].map((card) => (
        <div key={card} className="order-skeleton skeleton" />
      ))}
    </div>
  )
}
