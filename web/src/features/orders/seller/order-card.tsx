import { type ReactNode, useId } from 'react'
import type { Order } from '@/features/orders/api'
import { Day } from '@/features/orders/day'
import { Fact, OrderColumns } from '@/features/orders/order-parts'
import { OrderCases } from '@/features/orders/seller/order-cases'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { RiderField } from '@/features/orders/seller/rider-field'
import { OrderStatusForm } from '@/features/orders/seller/status-form'
import { StatusBadge, statusVariant } from '@/features/orders/status'
import { Thumbs } from '@/features/orders/thumbs'
import { useMay } from '@/features/staff/permissions'
import { formatTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { AlertIcon } from '@/ui/icons'
import { PrinterIcon } from '@/ui/icons-seller'

/** The state of an online order's payment, in the seller's wording. */
const PAYMENT: Record<string, MessageId> = {
  awaiting: 'seller.orders.payment.awaiting',
  paid: 'seller.orders.payment.paid',
  failed: 'seller.orders.payment.failed',
  conflict: 'seller.orders.payment.conflict',
  refund_due: 'seller.orders.payment.refund_due',
  refunded: 'seller.orders.payment.refunded',
}

type SellerOrderCardProps = {
  order: Order
  open: boolean
  fresh: boolean
  ticked: boolean
  /** A status that a keyboard shortcut has chosen for this order; applied once. */
  pendingStatus: string | null
  onToggle: () => void
  onTick: () => void
  onPendingStatusTaken: () => void
  onPrint: () => void
  /** What other modules show below an open order. */
  more?: ReactNode
}

export function SellerOrderCard({
  order,
  open,
  fresh,
  ticked,
  onToggle,
  onTick,
  ...details
}: SellerOrderCardProps) {
  const t = useT()
  const id = useId()
  const lang = useLang()
  return (
    <article
      className="order"
      id={order.orderId}
      data-testid="order-card"
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
          aria-controls={id}
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
          <Thumbs items={order.items} />
        </button>
      </h2>
      <div id={id} hidden={!open} className="order-body">
        {open ? <Details order={order} {...details} /> : null}
      </div>
    </article>
  )
}

type DetailsProps = Pick<
  SellerOrderCardProps,
  'order' | 'pendingStatus' | 'onPendingStatusTaken' | 'onPrint' | 'more'
>

function Details({ order, pendingStatus, onPendingStatusTaken, onPrint, more }: DetailsProps) {
  const t = useT()
  const lang = useLang()
  const mayAssign = useMay()('orders.assign_rider')
  const price = (rupees: number) => formatSellerPrice(rupees, lang)
  const { name, email, phone, address, landmark } = order.userId
  return (
    <>
      <OrderCases codes={order.attention} />
      {order.confirmBy ? (
        <p className="order-warning">
          {t('seller.orders.unconfirmedText', { time: formatTime(order.confirmBy, lang) })}
        </p>
      ) : null}
      {order.deliveryWindow?.hasPlace === false && statusVariant(order.status) !== 'canceled' ? (
        <p className="order-warning">{t('seller.orders.noPlace')}</p>
      ) : null}
      <OrderStatusForm
        order={order}
        pendingStatus={pendingStatus}
        onPendingStatusTaken={onPendingStatusTaken}
      />
      {mayAssign && statusVariant(order.status) !== 'canceled' ? <RiderField order={order} /> : null}
      <OrderColumns order={order} price={price} payment={PAYMENT[order.paymentState] ?? null}>
        <Fact name={t('seller.orders.customer')}>
          <span translate="no">{name}</span>
          <br />
          <a className="link" href={`tel:${toDialledPhone(phone)}`} translate="no">
            {formatPhone(phone)}
          </a>{' '}
          <a className="link" href={`mailto:${email}`} translate="no">
            {email}
          </a>
          <br />
          <span translate="no">{address}</span>
          {landmark && !address.includes(landmark) ? (
            <>
              <br />
              <span translate="no">{landmark}</span>
            </>
          ) : null}
        </Fact>
      </OrderColumns>
      {more}
      {statusVariant(order.status) === 'canceled' ? null : (
        <div className="order-actions">
          <button type="button" className="button button-outline" onClick={onPrint}>
            <PrinterIcon />
            {t('seller.packingSlip.print')}
          </button>
        </div>
      )}
    </>
  )
}
