import { Link } from '@tanstack/react-router'
import { type MessageId, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'

const CASES = {
  amount_mismatch: 'sorder.case.amount_mismatch',
  cancelled_after_dispatch: 'sorder.case.cancelled_after_dispatch',
  late_payment: 'sorder.case.late_payment',
  paid_twice: 'sorder.case.paid_twice',
  payment_pending_long: 'sorder.case.payment_pending_long',
  refund_failed: 'sorder.case.refund_failed',
  refunded_outside: 'sorder.case.refunded_outside',
  reopened_after_refund: 'sorder.case.reopened_after_refund',
  reopened_unpaid: 'sorder.case.reopened_unpaid',
  reopened_without_stock: 'sorder.case.reopened_without_stock',
  shipped_unpaid: 'sorder.case.shipped_unpaid',
  transaction_reused: 'sorder.case.transaction_reused',
  wallet_unclear: 'sorder.case.wallet_unclear',
  wallet_unknown_payment: 'sorder.case.wallet_unknown_payment',
} satisfies Record<string, MessageId>

/** What happened, in words; a kind that is newer than this page keeps its code. */
export function useCaseText(): (kind: string) => string {
  const t = useT()
  return (kind) => (kind in CASES ? t(CASES[kind as keyof typeof CASES]) : kind)
}

/** What the rules could not mend by themselves, in words. */
export function SellerAttention({ codes }: { codes: string[] }) {
  const t = useT()
  const text = useCaseText()
  if (codes.length === 0) return null
  return (
    <div className="order-cases">
      <ul>
        {codes.map((code) => (
          <li key={code}>{text(code)}</li>
        ))}
      </ul>
      <Link className="link" to={paths.sellerAttention}>
        {t('sorder.whatToDo')}
      </Link>
    </div>
  )
}
