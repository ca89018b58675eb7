import '@/styles/seller-orders.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import type { Order } from '@/features/orders/api'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'

type OrderStop = Schemas['OrderStopResponse']

const orderStops = (id: string, status: string) =>
  queryOptions({
    queryKey: ['seller', 'order-stops', id, status],
    queryFn: () => unwrapData(api.GET('/api/rider/order_stops/{id}', { params: { path: { id } } })),
    meta: { failed: 'seller.orderStops.failed', error: 'seller.orderStops.failed' },
  })

const TEXTS: Record<string, MessageId> = {
  out: 'seller.orderStops.out',
  returned: 'seller.orderStops.returned',
  code: 'seller.orderStops.code',
  photo: 'seller.orderStops.photo',
  nobody_home: 'seller.orderStops.nobody_home',
  no_answer: 'seller.orderStops.no_answer',
  wrong_address: 'seller.orderStops.wrong_address',
  refused: 'seller.orderStops.refused',
  other: 'seller.orderStops.other',
}
const textOf = ({ kind, reason, proof }: OrderStop) =>
  TEXTS[reason ?? proof ?? kind] ?? 'seller.orderStops.out'

/** On the seller's order: what the rider recorded at the door, with the photo of the delivery. */
export function OrderStops({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const { data } = useQuery({ ...orderStops(order._id, order.status), enabled: Boolean(order.rider) })
  if (!data || data.length === 0) return null
  return (
    <section className="order-stops" aria-label={t('seller.orderStops.title')}>
      <h3>{t('seller.orderStops.title')}</h3>
      <ul>
        {data.map((stop) => (
          <li key={stop._id} data-testid="order-stop">
            <span className="muted">{formatDateTime(stop.at, lang)}</span> {t(textOf(stop))}
            {stop.note ? <span translate="no"> {stop.note}</span> : null}
            {stop.photo ? (
              <a href={`/api/rider/photo/${stop.photo}`} target="_blank" rel="noreferrer">
                <img
                  src={`/api/rider/photo/${stop.photo}`}
                  alt={t('seller.orderStops.photoAlt')}
                  loading="lazy"
                  width="160"
                  height="120"
                />
              </a>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
