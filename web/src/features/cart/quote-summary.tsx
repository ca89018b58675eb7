import type { Quote } from '@/features/cart/quote'
import { useRates } from '@/features/shop/rules'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatMoney, formatRate } from '@/lib/money'

const ROWS = [
  ['subtotal', 'cart.subtotal'],
  ['shippingFee', 'cart.shipping'],
  ['tax', 'cart.tax'],
  ['total', 'cart.total'],
] as const satisfies [keyof Quote, MessageId][]

/** The figures of a cart; the tax appears only if the shop charges any. */
export function QuoteSummary({ quote }: { quote: Quote }) {
  const t = useT()
  const lang = useLang()
  const { taxRate, vatRegistered, pricesIncludeTax } = useRates()
  const rate = formatRate(taxRate / 100, lang)
  return (
    <dl className="bill">
      {ROWS.filter(([row]) => row !== 'tax' || vatRegistered || quote.tax > 0).map(([row, label]) => (
        <div key={row} className={`bill-${row}`}>
          <dt>{t(row === 'subtotal' && pricesIncludeTax ? 'cart.subtotalWithoutTax' : label, { rate })}</dt>
          <dd data-testid={`summary-${row === 'shippingFee' ? 'shipping' : row}`}>
            {formatMoney(quote[row], lang, 'always')}
          </dd>
        </div>
      ))}
    </dl>
  )
}
