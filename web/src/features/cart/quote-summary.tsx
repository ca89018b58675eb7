import type { Quote } from '@/features/cart/quote'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatMoney } from '@/lib/money'

const ROWS = [
  ['subtotal', 'cart.subtotal'],
  ['shippingFee', 'cart.shipping'],
  ['tax', 'cart.tax'],
  ['total', 'cart.total'],
] as const satisfies [keyof Quote, MessageId][]

/** The four figures of a cart or an order, one under the other. */
export function QuoteSummary({ quote }: { quote: Quote }) {
  const t = useT()
  const lang = useLang()
  return (
    <dl className="bill">
      {ROWS.map(([row, label]) => (
        <div key={row} className={`bill-${row}`}>
          <dt>{t(label)}</dt>
          <dd data-testid={`summary-${row === 'shippingFee' ? 'shipping' : row}`}>
            {formatMoney(quote[row], lang, 'always')}
          </dd>
        </div>
      ))}
    </dl>
  )
}
