import { type MessageId, useT } from '@/lib/i18n'

const CASES = {
  amount_mismatch: 'sorder.case.amount_mismatch',
  cancelled_after_dispatch: 'sorder.case.cancelled_after_dispatch',
  paid_twice: 'sorder.case.paid_twice',
  reopened_after_refund: 'sorder.case.reopened_after_refund',
  reopened_unpaid: 'sorder.case.reopened_unpaid',
  reopened_without_stock: 'sorder.case.reopened_without_stock',
  shipped_unpaid: 'sorder.case.shipped_unpaid',
} satisfies Record<string, MessageId>

/** What the rules could not mend by themselves, in words. */
export function SellerAttention({ codes }: { codes: string[] }) {
  const t = useT()
  if (codes.length === 0) return null
  return (
    <ul className="order-cases">
      {codes.map((code) => (
        <li key={code}>{code in CASES ? t(CASES[code as keyof typeof CASES]) : code}</li>
      ))}
    </ul>
  )
}
