import '@/styles/complaints.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Complaint } from '@/features/complaints/api'
import { ComplaintState, reasonMessage } from '@/features/complaints/complaint-view'
import { daysLeft, sellerComplaints } from '@/features/complaints/seller/api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'

/** The complaints under 'Needs attention', with the days that are left to decide. */
export function ComplaintList({ closed }: { closed: boolean }) {
  const t = useT()
  const { data: list, error } = useQuery(sellerComplaints(closed))
  useEffect(() => void handleSellerSessionEnded(error), [error])
  if (!list || list.length === 0) return null
  return (
    <section className="seller-complaints" aria-labelledby="seller-complaints">
      <h2 id="seller-complaints">{t('seller.complaints.heading')}</h2>
      <ul>
        {list.map((complaint) => (
          <li key={complaint._id} data-testid="seller-complaint">
            <Link className="link" to={paths.sellerComplaint} params={{ id: complaint._id }}>
              {t(reasonMessage(complaint.reason))}
            </Link>
            <span translate="no">#{complaint.orderId}</span>
            <span translate="no">{complaint.customer || t('seller.complaints.customerGone')}</span>
            {complaint.state === 'open' ? (
              <DaysLeft complaint={complaint} />
            ) : (
              <ComplaintState state={complaint.state} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function DaysLeft({ complaint: { dueAt } }: { complaint: Complaint }) {
  const t = useT()
  const days = daysLeft(dueAt)
  return (
    <strong className="complaint-days" data-urgent={days <= 1}>
      {days < 0 ? t('seller.complaints.overdue', { n: -days }) : t('seller.complaints.daysLeft', { n: days })}
    </strong>
  )
}
