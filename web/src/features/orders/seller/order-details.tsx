import type { ReactNode } from 'react'
import type { Order } from '@/features/orders/api'
import { Fact, OrderColumns } from '@/features/orders/order-parts'
import { OrderCases } from '@/features/orders/seller/order-cases'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { RiderField } from '@/features/orders/seller/rider-field'
import { OrderStatusForm } from '@/features/orders/seller/status-form'
import { statusVariant } from '@/features/orders/status'
import { useMay } from '@/features/staff/permissions'
import { formatTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatPhone, toDialledPhone } from '@/lib/phone'
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

export type SellerOrderDetailsProps = {
  order: Order
  /** A status that a keyboard shortcut has chosen for this order; applied once. */
  pendingStatus: string | null
  onPendingStatusTaken: () => void
  onPrint: () => void
  /** What other modules show below an open order. */
  more?: ReactNode
}

/** What the seller sees and changes of an open order, in its card or in the panel beside the list. */
export function SellerOrderDetails({
  order,
  pendingStatus,
  onPendingStatusTaken,
  onPrint,
  more,
}: SellerOrderDetailsProps) {
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
