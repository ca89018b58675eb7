import { Link } from '@tanstack/react-router'
import { type MessageId, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'

const CASES = {
  amount_mismatch: 'seller.orders.case.amount_mismatch',
  cancelled_after_dispatch: 'seller.orders.case.cancelled_after_dispatch',
  cash_and_wallet: 'seller.orders.case.cash_and_wallet',
  late_payment: 'seller.orders.case.late_payment',
  paid_twice: 'seller.orders.case.paid_twice',
  payment_pending_long: 'seller.orders.case.payment_pending_long',
  refund_failed: 'seller.orders.case.refund_failed',
  returned_at_door: 'seller.orders.case.returned_at_door',
  refunded_outside: 'seller.orders.case.refunded_outside',
  reopened_after_refund: 'seller.orders.case.reopened_after_refund',
  reopened_unpaid: 'seller.orders.case.reopened_unpaid',
  reopened_without_stock: 'seller.orders.case.reopened_without_stock',
  shipped_unpaid: 'seller.orders.case.shipped_unpaid',
  transaction_reused: 'seller.orders.case.transaction_reused',
  wallet_unclear: 'seller.orders.case.wallet_unclear',
  wallet_unknown_payment: 'seller.orders.case.wallet_unknown_payment',
} satisfies Record<string, MessageId>

/** The message for the kind of a case; a kind that is newer than this page shows its code. */
export function useCaseText(): (kind: string) => string {
  const t = useT()
  return (kind) => (kind in CASES ? t(CASES[kind as keyof typeof CASES]) : kind)
}

/** The open cases of an order, which need a decision by the seller. */
export function OrderCases({ codes }: { codes: string[] }) {
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
        {t('seller.orders.whatToDo')}
      </Link>
    </div>
  )
}
