import type { Bill } from '@/features/cart/bill'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatMoney } from '@/lib/money'

const ROWS = ['subtotal', 'shipping', 'tax', 'total'] as const

const LABELS = {
  subtotal: 'cart.subtotal',
  shipping: 'cart.shipping',
  tax: 'cart.tax',
  total: 'cart.total',
} satisfies Record<keyof Bill, MessageId>

export function BillSummary({ bill }: { bill: Bill }) {
  const t = useT()
  const lang = useLang()
  return (
    <dl className="bill">
      {ROWS.map((row) => (
        <div key={row} className={`bill-${row}`}>
          <dt>{t(LABELS[row])}</dt>
          <dd data-testid={`summary-${row}`}>{formatMoney(bill[row], lang, 'always')}</dd>
        </div>
      ))}
    </dl>
  )
}
