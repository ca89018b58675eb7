import '@/styles/billing.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { billUrl, kindMessage, orderBills } from '@/features/billing/api'
import { BuyerForm } from '@/features/billing/buyer-form'
import type { Order } from '@/features/orders/api'
import { useT } from '@/lib/i18n'

/** On an order: its bills and credit notes, and until there is one, what the shopper wants on it. */
export function OrderBills({ order }: { order: Order }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { data } = useQuery(orderBills(order._id, order.status))
  if (!data || (data.documents.length === 0 && !data.canChangeBuyer)) return null
  return (
    <section className="order-bills" aria-label={t('bills.title')}>
      {data.documents.length > 0 ? (
        <ul>
          {data.documents.map(({ _id, kind, number }) => (
            <li key={_id}>
              <a className="link" href={billUrl(_id)} target="_blank" rel="noreferrer">
                {t(kindMessage(kind))}
              </a>{' '}
              <span className="muted" translate="no">
                {number}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {data.canChangeBuyer ? (
        <p>
          {data.buyerPan ? (
            <span translate="no">{[data.buyerName, data.buyerPan].filter(Boolean).join(', ')} </span>
          ) : null}
          <button type="button" className="link" onClick={() => setEditing(true)}>
            {t(data.buyerPan ? 'bills.buyer.change' : 'bills.buyer.add')}
          </button>
        </p>
      ) : null}
      {editing ? (
        <BuyerForm
          order={order._id}
          name={data.buyerName}
          pan={data.buyerPan}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </section>
  )
}
