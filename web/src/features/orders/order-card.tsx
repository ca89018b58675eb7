import { type ReactNode, useId } from 'react'
import type { Order } from '@/features/orders/api'
import { Day } from '@/features/orders/day'
import { StatusBadge } from '@/features/orders/status'
import { loadWithMessages, useLang } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

// The list appears sooner without these parts: pictures and payment load right after it, the rest with the first opened
// card.
const loadOrderParts = () =>
  loadWithMessages('features/orders/lazy-order-parts', () => import('@/features/orders/lazy-order-parts'))
const Thumbs = lazyWithRetry(async () => (await loadOrderParts()).Thumbs, <span className="order-thumbs" />)
const OrderPayment = lazyWithRetry(
  async () => (await loadOrderParts()).OrderPayment,
  <div className="order-payment" />,
)
const OrderDetails = lazyWithRetry(
  async () => (await loadOrderParts()).OrderDetails,
  <div className="order-details-skeleton skeleton" />,
)

type OrderCardProps = {
  order: Order
  open: boolean
  onToggle: () => void
  /** What other modules add above the order's own buttons. */
  more?: ReactNode
}

/** Closed, it shows the number, date, status and total; opened, it shows everything about the order. */
export function OrderCard({ order, open, onToggle, more }: OrderCardProps) {
  const id = useId()
  const lang = useLang()
  const price = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'always')
  return (
    <article className="order" id={order.orderId} data-testid="order-card">
      <h2>
        <button
          type="button"
          className="order-head"
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className="order-name">
            <span translate="no">#{order.orderId}</span>
            <Day iso={order.date} />
          </span>
          <span className="order-sum">{price(order.total)}</span>
          <StatusBadge status={order.status} />
          <Thumbs items={order.items} />
        </button>
      </h2>
      {/^(cod|paid)/.test(order.paymentState) ? null : <OrderPayment order={order} />}
      <div id={id} hidden={!open} className="order-body">
        {open ? <OrderDetails order={order} price={price} more={more} /> : null}
      </div>
    </article>
  )
}
