import { type ReactNode, useState } from 'react'
import type { Order } from '@/features/orders/api'
import { BuyAgain } from '@/features/orders/buy-again'
import { Day } from '@/features/orders/day'
import { Fact, OrderColumns, type PriceFormat } from '@/features/orders/order-parts'
import { OrderProgress } from '@/features/orders/order-progress'
import { paymentMessage } from '@/features/orders/payment-messages'
import { formatTime } from '@/lib/dates-time'
import { settings } from '@/lib/first-data'
import { loadWithMessages, useLang, useT } from '@/lib/i18n'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

/** Few orders are cancelled, so the dialog is loaded on demand. */
const CancelOrder = lazyWithRetry(async () => (await import('@/features/orders/cancel-order')).CancelOrder)

const OrderOptIn = lazyWithRetry(
  async () =>
    (await loadWithMessages('features/alerts/order-opt-in', () => import('@/features/alerts/order-opt-in')))
      .OrderOptIn,
)

const FINISHED = ['Delivered', 'Cancelled']

type OrderDetailsProps = { order: Order; price: PriceFormat; more?: ReactNode }

export function OrderDetails({ order, price, more }: OrderDetailsProps) {
  const t = useT()
  const lang = useLang()
  const [asking, setAsking] = useState(false)
  return (
    <>
      {order.confirmBy ? (
        <p className="order-warning" role="status" data-testid="confirm-by">
          {t('orders.confirmBy', { time: formatTime(order.confirmBy, lang) })}
        </p>
      ) : null}
      <OrderProgress order={order} price={price} />
      <OrderColumns
        order={order}
        price={price}
        payment={order.paymentState === 'paid' ? paymentMessage(order) : null}
        day={
          order.status === 'Cancelled' ? null : (
            <Fact name={t('orders.delivery')}>
              <Day iso={order.deliveryDate} />
            </Fact>
          )
        }
      >
        <Fact name={t('orders.address')}>
          <span translate="no">
            {order.userId.name}
            <br />
            {order.userId.address}
          </span>
        </Fact>
      </OrderColumns>
      {settings.pushKey && !FINISHED.includes(order.status) ? <OrderOptIn /> : null}
      {more}
      <div className="order-actions">
        <BuyAgain items={order.items} />
        {order.canCancel ? (
          <button type="button" className="button button-plain-danger" onClick={() => setAsking(true)}>
            {t('orders.cancel')}
          </button>
        ) : null}
        {asking ? <CancelOrder order={order} onClose={() => setAsking(false)} /> : null}
      </div>
    </>
  )
}
