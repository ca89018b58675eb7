import { useState } from 'react'
import { CASH, type Order } from '@/features/orders/api'
import { BuyAgain } from '@/features/orders/buy-again'
import { Day } from '@/features/orders/day'
import {
  OrderItems,
  OrderSums,
  type PriceFormat,
  Timeline,
  TrackingNumber,
} from '@/features/orders/order-parts'
import { loadWords, useT } from '@/lib/i18n'
import { lazyPart } from '@/ui/lazy-part'

/** Few orders are ever cancelled; the question is fetched when one is. */
const CancelOrder = lazyPart(async () => {
  const [part] = await Promise.all([import('@/features/orders/cancel-order'), loadWords('people')])
  return part.CancelOrder
})

export function OrderDetails({ order, price }: { order: Order; price: PriceFormat }) {
  const t = useT()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <div className="order-columns">
        <div>
          <OrderItems items={order.items} price={price} />
          <OrderSums order={order} price={price} />
        </div>
        <div>
          <dl className="order-facts">
            <div>
              <dt>{t('orders.tracking')}</dt>
              <dd>
                <TrackingNumber number={order.trackingNumber} />
              </dd>
            </div>
            <div>
              <dt>{t('orders.delivery')}</dt>
              <dd>
                <Day iso={order.deliveryDate} />
              </dd>
            </div>
            <div>
              <dt>{t('orders.payment')}</dt>
              <dd>{order.paymentMethod === CASH ? t('orders.cod') : order.paymentMethod}</dd>
            </div>
            <div>
              <dt>{t('orders.address')}</dt>
              <dd>
                {order.userId.name}
                <br />
                {order.userId.address}
              </dd>
            </div>
          </dl>
          <Timeline of={order.timeline} />
        </div>
      </div>
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
