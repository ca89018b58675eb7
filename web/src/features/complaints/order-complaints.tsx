import '@/styles/complaints.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { orderComplaints } from '@/features/complaints/api'
import { ComplaintForm } from '@/features/complaints/complaint-form'
import { ComplaintState, reasonMessage } from '@/features/complaints/complaint-view'
import type { Order } from '@/features/orders/api'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'

/** On an order: the button that reports a problem, and the complaints so far. */
export function OrderComplaints({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const [writing, setWriting] = useState(false)
  const { data: complaints = [] } = useQuery(orderComplaints(order._id))
  return (
    <div className="order-complaints">
      {complaints.length > 0 ? (
        <>
          <h3>{t('complaints.yours')}</h3>
          <ul>
            {complaints.map((each) => (
              <li key={each._id}>
                <Link className="link" to={paths.complaint} params={{ id: each._id }}>
                  {t(reasonMessage(each.reason))}
                </Link>
                <ComplaintState state={each.state} />
                <span className="muted">
                  {each.state === 'open'
                    ? t('complaints.answerBy', { date: formatDate(each.dueAt, lang) })
                    : t('complaints.openedOn', { date: formatDate(each.createdAt, lang) })}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <button type="button" className="link" onClick={() => setWriting(true)}>
        {t('complaints.add')}
      </button>
      {writing ? <ComplaintForm order={order} onClose={() => setWriting(false)} /> : null}
    </div>
  )
}
