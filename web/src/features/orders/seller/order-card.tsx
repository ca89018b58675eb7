import { type ReactNode, useId } from 'react'
import type { Order } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'
import { Day } from '@/features/orders/day'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { StatusBadge } from '@/features/orders/status'
import { Thumbs } from '@/features/orders/thumbs'
import { formatDate } from '@/lib/dates'
import { formatTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { formatPhone } from '@/lib/phone'
import { AlertIcon } from '@/ui/icons'

type SellerOrderCardProps = {
  order: Order
  open: boolean
  fresh: boolean
  ticked: boolean
  /** The chosen columns; only a wide screen has space for them. */
  columns: string[]
  /** The id of the panel that shows the order; without one, the order opens in its card. */
  panel: string | undefined
  onToggle: () => void
  onTick: () => void
  /** The details of the order, once it is open in its card. */
  children: ReactNode
}

export function SellerOrderCard({
  order,
  open,
  fresh,
  ticked,
  columns,
  panel,
  onToggle,
  onTick,
  children,
}: SellerOrderCardProps) {
  const t = useT()
  const id = useId()
  const lang = useLang()
  return (
    <article
      className="order"
      id={order.orderId}
      data-order={order.orderId}
      data-testid="order-card"
      data-panel={panel ? (open ? 'open' : 'closed') : undefined}
      data-fresh={fresh ? true : undefined}
      data-ticked={ticked ? true : undefined}
    >
      <label className="order-checkbox">
        <input type="checkbox" checked={ticked} onChange={onTick} />
        <span className="sr-only">{t('seller.orders.select.one', { id: order.orderId })}</span>
      </label>
      <h2>
        <button
          type="button"
          className="order-head"
          aria-expanded={open}
          aria-controls={panel ?? id}
          onClick={onToggle}
        >
          <span className="order-name">
            <span translate="no">#{order.orderId}</span>
            <span>
              <Day iso={order.date} /> · <span translate="no">{order.userId.name}</span>
            </span>
            {order.confirmBy ? (
              <span className="order-unconfirmed" data-testid="waits">
                {t('seller.orders.unconfirmedUntil', { time: formatTime(order.confirmBy, lang) })}
              </span>
            ) : null}
          </span>
          <span className="order-sum">{formatSellerPrice(order.total, lang)}</span>
          <StatusBadge status={order.status} />
          {order.attention.length > 0 ? (
            <span className="badge badge-attention" data-testid="attention">
              <AlertIcon size={16} />
              {t('seller.orders.attention')}
            </span>
          ) : null}
          {columns.includes('pictures') ? <Thumbs items={order.items} /> : null}
          <ExtraColumns order={order} columns={columns} />
        </button>
      </h2>
      {panel ? null : (
        <div id={id} hidden={!open} className="order-body">
          {open ? children : null}
        </div>
      )}
    </article>
  )
}

function ExtraColumns({ order, columns }: { order: Order; columns: string[] }) {
  const t = useT()
  const lang = useLang()
  const cells = {
    delivery: [t('orders.delivery'), formatDate(order.deliveryDate, lang)],
    payment: [t('orders.payment'), order.paymentMethod === CASH ? t('orders.cod') : order.paymentMethod],
    phone: [t('seller.packingSlip.phone'), formatPhone(order.userId.phone)],
  }
  const chosen = Object.entries(cells).filter(([key]) => columns.includes(key))
  if (chosen.length === 0) return null
  return (
    <span className="order-extra">
      {chosen.map(([key, [label, text]]) => (
        <span key={key}>
          <span className="muted">{label}</span>
          <span translate={key === 'delivery' ? undefined : 'no'}>{text}</span>
        </span>
      ))}
    </span>
  )
}
