import { useLocation } from '@tanstack/react-router'
import { formatHours } from '@/features/delivery/hours'
import type { Order } from '@/features/orders/api'
import type { PriceFormat } from '@/features/orders/order-parts'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { formatDate } from '@/lib/dates'
import { formatDateTime } from '@/lib/dates-time'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { CheckCircleIcon } from '@/ui/icons-orders'

const CANCELLED = 'Cancelled'
const STEPS: readonly string[] = STATUSES.filter((status) => status !== CANCELLED)
/** The shop has the money, or the rider will get it. */
const SETTLED = /^(cod|paid)/

/** Where the order is and when it arrives, which is what most people open an order for. */
export function OrderProgress({ order, price }: { order: Order; price: PriceFormat }) {
  const placed = useLocation({ select: ({ state }) => state.placed })
  const settled = SETTLED.test(order.paymentState)
  return (
    <div className="progress">
      {placed === order.orderId && settled ? <Confirmation order={order} price={price} /> : null}
      <Headline order={order} settled={settled} />
      <Steps order={order} />
      <CallButton order={order} />
    </div>
  )
}

/** The shopper has just placed the order: what happens next. */
function Confirmation({ order, price }: { order: Order; price: PriceFormat }) {
  const t = useT()
  const { name, phone } = order.userId
  return (
    <section className="placed" data-testid="placed">
      <CheckCircleIcon size={40} />
      <h3>{t('orders.thanks', { name: name.trim().split(/\s+/)[0] ?? name })}</h3>
      <p className="placed-next">{t('orders.next')}</p>
      <ol>
        <li>{t('orders.next.pack')}</li>
        <li>{t('orders.next.call', { phone: formatPhone(phone) })}</li>
        <li>
          {order.cashToCollect > 0
            ? t('orders.next.cash', { total: price(order.cashToCollect) })
            : t('orders.next.paid')}
        </li>
      </ol>
    </section>
  )
}

function Headline({ order, settled }: { order: Order; settled: boolean }) {
  const t = useT()
  const lang = useLang()
  const { status, timeline, deliveryDate, deliveryWindow } = order
  if (status === CANCELLED) return <p className="progress-title">{t('orders.isCancelled')}</p>
  if (status === 'Delivered') {
    const last = timeline.findLast((entry) => entry.status === status)
    return (
      <p className="progress-title">
        {t('orders.deliveredOn', { day: formatDate(last?.date ?? deliveryDate, lang) })}
      </p>
    )
  }
  // Nothing is promised until it is paid for.
  if (!settled) return null
  const day = formatDate(deliveryDate, lang)
  return (
    <p className="progress-title" data-testid="arrives">
      {deliveryWindow
        ? t('orders.arrivesBetween', { day, hours: formatHours(deliveryWindow, lang) })
        : t('orders.arrives', { day })}
    </p>
  )
}

function Steps({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const text = useStatusText()
  const { status, timeline } = order
  const cancelled = status === CANCELLED
  const reached = cancelled
    ? Math.max(0, ...timeline.map((entry) => STEPS.indexOf(entry.status)))
    : STEPS.indexOf(status)
  if (reached < 0) return null
  const steps = cancelled ? [...STEPS.slice(0, reached + 1), CANCELLED] : STEPS
  const current = cancelled ? steps.length - 1 : reached
  return (
    <ol className="steps" aria-label={t('orders.progress')} data-testid="steps">
      {steps.map((step, index) => {
        const at = timeline.findLast((entry) => entry.status === step)?.date
        return (
          <li
            key={step}
            className={index > current ? 'step-open' : step === CANCELLED ? 'step-cancelled' : 'step-done'}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className="step-name">{text(step)}</span>
            {at && index <= current ? (
              <time className="muted" dateTime={at}>
                {formatDateTime(at, lang)}
              </time>
            ) : null}
          </li>
        )
      })}
    </ol>
  )
}

/** Riders call the shopper; the shopper reaches them through the shop. */
function CallButton({ order }: { order: Order }) {
  const t = useT()
  const { phone } = settings.contact
  if (!phone || !['Order Shipped', 'Out for Delivery'].includes(order.status)) return null
  return (
    <a className="button button-outline" href={`tel:${toDialledPhone(phone)}`}>
      {t('orders.call')}
    </a>
  )
}
