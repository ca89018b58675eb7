import { useId } from 'react'
import type { Order } from '@/features/orders/api'
import { Day } from '@/features/orders/day'
import { Fact, OrderColumns } from '@/features/orders/order-parts'
import { SellerAttention } from '@/features/orders/seller-attention'
import { sellerPrice } from '@/features/orders/seller-price'
import { SellerStatus } from '@/features/orders/seller-status'
import { lookOf, StatusBadge } from '@/features/orders/status'
import { Thumbs } from '@/features/orders/thumbs'
import { formatTime } from '@/lib/dates-moment'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { dialledPhone, shownPhone } from '@/lib/phone'
import { AlertIcon } from '@/ui/icons'
import { PrinterIcon } from '@/ui/icons-seller'

/** How far an online order's payment is, as the seller says it. */
const PAYMENT: Record<string, MessageId> = {
  awaiting: 'sorder.pay.awaiting',
  paid: 'sorder.pay.paid',
  failed: 'sorder.pay.failed',
  conflict: 'sorder.pay.conflict',
  refund_due: 'sorder.pay.refund_due',
  refunded: 'sorder.pay.refunded',
}

type SellerOrderProps = {
  order: Order
  open: boolean
  fresh: boolean
  ticked: boolean
  /** A status that a key has chosen for this order; taken once. */
  wish: string | null
  onToggle: () => void
  onTick: () => void
  onWishTaken: () => void
  onPrint: () => void
}

export function SellerOrder({ order, open, fresh, ticked, onToggle, onTick, ...details }: SellerOrderProps) {
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
      <label className="order-tick">
        <input type="checkbox" checked={ticked} onChange={onTick} />
        <span className="sr-only">{t('sdesk.select', { id: order.orderId })}</span>
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
              <span className="order-waits" data-testid="waits">
                {t('sorder.waits', { time: formatTime(order.confirmBy, lang) })}
              </span>
            ) : null}
          </span>
          <span className="order-sum">{sellerPrice(order.total, lang)}</span>
          <StatusBadge status={order.status} />
          {order.attention.length > 0 ? (
            <span className="badge badge-attention" data-testid="attention">
              <AlertIcon size={16} />
              {t('sorder.attention')}
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

type DetailsProps = Pick<SellerOrderProps, 'order' | 'wish' | 'onWishTaken' | 'onPrint'>

function Details({ order, wish, onWishTaken, onPrint }: DetailsProps) {
  const t = useT()
  const lang = useLang()
  const price = (rupees: number) => sellerPrice(rupees, lang)
  const { name, email, phone, address, landmark } = order.userId
  return (
    <>
      <SellerAttention codes={order.attention} />
      {order.confirmBy ? (
        <p className="order-warning">{t('sorder.waitsText', { time: formatTime(order.confirmBy, lang) })}</p>
      ) : null}
      <SellerStatus order={order} wish={wish} onWishTaken={onWishTaken} />
      <OrderColumns order={order} price={price} payment={PAYMENT[order.paymentState] ?? null}>
        <Fact name={t('sorder.customer')}>
          <span translate="no">{name}</span>
          <br />
          <a className="link" href={`tel:${dialledPhone(phone)}`} translate="no">
            {shownPhone(phone)}
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
      {lookOf(order.status) === 'canceled' ? null : (
        <div className="order-actions">
          <button type="button" className="button button-outline" onClick={onPrint}>
            <PrinterIcon />
            {t('sdesk.slip.print')}
          </button>
        </div>
      )}
    </>
  )
}
