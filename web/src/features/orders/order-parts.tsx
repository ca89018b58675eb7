import type { ReactNode } from 'react'
import { ItemPicture } from '@/features/catalogue/item-picture'
import { formatHours } from '@/features/delivery/hours'
import type { Order, OrderItem } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'
import { choiceMessage } from '@/features/orders/order-notes-store'
import { statusVariant, useStatusText } from '@/features/orders/status'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { CopyIcon } from '@/ui/icons-orders'
import { toast } from '@/ui/toast'

/** Formats prices: in rupees for shoppers, with the shop's own symbol for the seller. */
export type PriceFormat = (rupees: number) => string

type OrderColumnsProps = {
  order: Order
  price: PriceFormat
  /** The message for the state of the payment, which is added to the method. */
  payment: MessageId | null
  day?: ReactNode
  children: ReactNode
}

/** The details of an opened order: items, sums and facts. `day` and the children are more `Fact`s. */
export function OrderColumns({ order, price, payment, day, children }: OrderColumnsProps) {
  const t = useT()
  const lang = useLang()
  const substitution = choiceMessage(order.ifUnavailable)
  return (
    <div className="order-columns">
      <div>
        <OrderItems items={order.items} price={price} />
        <OrderSums order={order} price={price} />
      </div>
      <div>
        <dl className="order-facts">
          <Fact name={t('orders.tracking')}>
            <TrackingNumber number={order.trackingNumber} />
          </Fact>
          {day}
          {order.deliveryWindow && order.status !== 'Cancelled' ? (
            <Fact name={t('orders.deliveryTime')}>{formatHours(order.deliveryWindow, lang)}</Fact>
          ) : null}
          <Fact name={t('orders.payment')}>
            {payment
              ? t(payment, { provider: order.paymentMethod })
              : order.paymentMethod === CASH
                ? t('orders.cod')
                : order.paymentMethod}
          </Fact>
          {children}
          {order.noteShop ? (
            <Fact name={t('orders.noteShop')}>
              <span translate="no">{order.noteShop}</span>
            </Fact>
          ) : null}
          {order.noteRider ? (
            <Fact name={t('orders.noteRider')}>
              <span translate="no">{order.noteRider}</span>
            </Fact>
          ) : null}
          {substitution ? <Fact name={t('ifUnavailable.title')}>{t(substitution)}</Fact> : null}
        </dl>
        <Timeline timeline={order.timeline} />
      </div>
    </div>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function OrderItems({ items, price }: { items: OrderItem[]; price: PriceFormat }) {
  const t = useT()
  const lang = useLang()
  return (
    <section>
      <h3>{t('orders.items')}</h3>
      <ul className="order-items">
        {items.map((item) => (
          <li key={item._id} data-testid="order-item">
            <ItemPicture item={item} />
            <span className="order-item-name">
              <span lang={scriptLang(localText(item, 'name', lang), lang)}>
                {localText(item, 'name', lang)}
              </span>
              <span className="muted">
                {item.packLabel ? (
                  <>
                    <span lang={scriptLang(localText(item, 'packLabel', lang), lang)}>
                      {localText(item, 'packLabel', lang)}
                    </span>
                    {' · '}
                  </>
                ) : null}
                {formatNumber(item.quantity, lang)} × {price(item.price)}
                <PriceBefore item={item} price={price} />
              </span>
              <ItemSubstitution item={item} />
            </span>
            <strong>{price(item.price * item.quantity)}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a unit cost before the coupon, which a screen reader reads as such. */
function PriceBefore({ item: { price: now, priceBeforeCoupon: before }, price }: PriceBeforeProps) {
  const t = useT()
  if (before == null || before === now) return null
  return (
    <>
      {' '}
      <s aria-hidden="true">{price(before)}</s>
      <span className="sr-only">{t('orders.beforeCoupon', { price: price(before) })}</span>
    </>
  )
}
type PriceBeforeProps = { item: OrderItem; price: PriceFormat }

/** What to do if the item is not available, where the shopper chose it for this item. */
export function ItemSubstitution({ item }: { item: OrderItem }) {
  const t = useT()
  const substitution = choiceMessage(item.ifUnavailable)
  return substitution ? (
    <span className="item-substitution">{t('ifUnavailable.item', { choice: t(substitution) })}</span>
  ) : null
}

function OrderSums({ order, price }: { order: Order; price: PriceFormat }) {
  const t = useT()
  const { coupon } = order
  const before = order.items.reduce(
    (sum, item) => sum + (item.priceBeforeCoupon ?? item.price) * item.quantity,
    0,
  )
  const rows = [
    ...(coupon
      ? ([
          ['goods', t('orders.goods'), before],
          ['discount', t('orders.coupon', { code: coupon.code }), coupon.discount],
        ] as const)
      : []),
    ['subtotal', t('orders.subtotal'), order.subtotal],
    ['shipping', t('orders.shipping'), order.shippingFee],
    ...(order.vatRegistered ? [['tax', t('orders.tax'), order.tax] as const] : []),
    ['total', t('orders.total'), order.total],
  ] as const
  return (
    <dl className="bill">
      {rows.map(([row, label, rupees]) => (
        <div key={row} className={`bill-${row}`}>
          <dt>{label}</dt>
          <dd>
            {row === 'discount' ? '−' : ''}
            {price(rupees)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function TrackingNumber({ number }: { number: string }) {
  const t = useT()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(number)
      toast.success('orders.copied')
    } catch {
      // The clipboard is not available; the number can still be selected and copied by hand.
    }
  }
  return (
    <span className="tracking">
      <span translate="no">{number}</span>
      <button type="button" className="icon-button" aria-label={t('orders.copy')} onClick={() => void copy()}>
        <CopyIcon />
      </button>
    </span>
  )
}

function Timeline({ timeline }: { timeline: Order['timeline'] }) {
  const t = useT()
  const lang = useLang()
  const text = useStatusText()
  return (
    <section>
      <h3>{t('orders.timeline')}</h3>
      <ol className="timeline" data-testid="timeline">
        {timeline.map(({ _id, status, date }) => (
          <li key={_id} className={`timeline-${statusVariant(status)}`}>
            <span>{text(status)}</span>
            <time className="muted" dateTime={date}>
              {formatDateTime(date, lang)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}
