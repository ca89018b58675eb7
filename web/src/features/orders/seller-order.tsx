import { useId } from 'react'
import type { Order } from '@/features/orders/api'
import { Day } from '@/features/orders/day'
import { Fact, OrderColumns } from '@/features/orders/order-parts'
import { SellerAttention } from '@/features/orders/seller-attention'
import { sellerPrice } from '@/features/orders/seller-price'
import { SellerStatus } from '@/features/orders/seller-status'
import { StatusBadge } from '@/features/orders/status'
import { Thumbs } from '@/features/orders/thumbs'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { AlertIcon } from '@/ui/icons'

/** How far an online order's payment is, as the seller says it. */
const PAYMENT: Record<string, MessageId> = {
  awaiting: 'sorder.pay.awaiting',
  paid: 'sorder.pay.paid',
  failed: 'sorder.pay.failed',
  conflict: 'sorder.pay.conflict',
  refund_due: 'sorder.pay.refund_due',
  refunded: 'sorder.pay.refunded',
}

type SellerOrderProps = { order: Order; open: boolean; fresh: boolean; onToggle: () => void }

export function SellerOrder({ order, open, fresh, onToggle }: SellerOrderProps) {
  const t = useT()
  const id = useId()
  const lang = useLang()
  return (
    <article
      className="order"
      id={order.orderId}
      data-testid="order-card"
      data-fresh={fresh ? true : undefined}
    >
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
              <Day iso={order.date} /> · {order.userId.name}
            </span>
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
        {open ? <Details order={order} /> : null}
      </div>
    </article>
  )
}

function Details({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const price = (rupees: number) => sellerPrice(rupees, lang)
  const { name, email, phone, address } = order.userId
  return (
    <>
      <SellerAttention codes={order.attention} />
      <SellerStatus order={order} />
      <OrderColumns order={order} price={price} payment={PAYMENT[order.paymentState] ?? null}>
        <Fact name={t('sorder.customer')}>
          {name}
          <br />
          <a className="link" href={`tel:${phone}`} translate="no">
            {phone}
          </a>{' '}
          <a className="link" href={`mailto:${email}`} translate="no">
            {email}
          </a>
          <br />
          {address}
        </Fact>
      </OrderColumns>
    </>
  )
}
