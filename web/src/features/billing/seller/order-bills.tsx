import '@/styles/billing.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BillDocument, kindMessage } from '@/features/billing/api'
import { reloadBills, sellerBillUrl, sellerOrderBills } from '@/features/billing/seller/bills-api'
import { CreditForm } from '@/features/billing/seller/credit-form'
import type { Order } from '@/features/orders/api'
import { useMay } from '@/features/staff/permissions'
import { useT } from '@/lib/i18n'

/** Time for the new tab to fetch the file, which counts it. */
const COUNTED_AFTER_MS = 2_000

/** On the seller's order: its bills and credit notes with the number of their copies. */
export function SellerOrderBills({ order }: { order: Order }) {
  const t = useT()
  const mayCredit = useMay()('refunds.small')
  const [crediting, setCrediting] = useState<BillDocument | null>(null)
  const { data } = useQuery(sellerOrderBills(order._id, order.status))
  if (!data || data.documents.length === 0) return null
  const isOpen = ({ lines }: BillDocument) =>
    (lines ?? []).some(({ quantity, credited }) => credited < quantity)
  return (
    <section className="order-bills" aria-label={t('bills.title')}>
      <h3>{t('bills.title')}</h3>
      <ul>
        {data.documents.map((document) => (
          <li key={document._id} data-testid="bill">
            <span>
              {t(kindMessage(document.kind))}{' '}
              <span className="muted" translate="no">
                {document.number}
              </span>
            </span>
            <span className="muted">
              {document.copies > 0 ? t('bills.copies', { n: document.copies }) : t('bills.notPrinted')}
            </span>
            {(['a4', 'roll'] as const).map((paper) => (
              <a
                key={paper}
                className="link"
                href={sellerBillUrl(document._id, paper)}
                target="_blank"
                rel="noreferrer"
                onClick={() => setTimeout(() => void reloadBills(), COUNTED_AFTER_MS)}
              >
                {t(document.copies > 0 ? `bills.reprint.${paper}` : `bills.print.${paper}`)}
              </a>
            ))}
            {mayCredit && isOpen(document) ? (
              <button type="button" className="link" onClick={() => setCrediting(document)}>
                {t('bills.credit')}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {crediting ? <CreditForm bill={crediting} onClose={() => setCrediting(null)} /> : null}
    </section>
  )
}
