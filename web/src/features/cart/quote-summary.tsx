import { goodsWorth, type Quote } from '@/features/cart/quote'
import { useRates } from '@/features/shop/rules'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatMoney, formatRate } from '@/lib/money'

const ROWS = [
  ['goods', 'cart.goods'],
  ['discount', 'cart.couponRow'],
  ['subtotal', 'cart.subtotal'],
  ['shippingFee', 'cart.shipping'],
  ['tax', 'cart.tax'],
  ['total', 'cart.total'],
] as const satisfies [keyof Quote | 'goods', MessageId][]

/** The figures of a cart; the tax appears only if the shop charges any, and what the goods cost before only with a coupon. */
export function QuoteSummary({ quote, coupon = '' }: { quote: Quote; coupon?: string }) {
  const t = useT()
  const lang = useLang()
  const rates = useRates()
  const { taxRate, vatRegistered, pricesIncludeTax } = rates
  const { discount = 0 } = quote
  const amounts = { ...quote, goods: goodsWorth(quote, rates) + discount, discount }
  const isShown = (row: keyof typeof amounts) => {
    if (row === 'goods' || row === 'discount') return discount > 0
    return row !== 'tax' || vatRegistered || quote.tax > 0
  }
  const rate = formatRate(taxRate / 100, lang)
  return (
    <dl className="bill">
      {ROWS.filter(([row]) => isShown(row)).map(([row, label]) => (
        <div key={row} className={`bill-${row}`}>
          <dt>
            {t(row === 'subtotal' && pricesIncludeTax ? 'cart.subtotalWithoutTax' : label, {
              rate,
              code: coupon,
            })}
          </dt>
          <dd data-testid={`summary-${row === 'shippingFee' ? 'shipping' : row}`}>
            {row === 'discount' ? '−' : ''}
            {formatMoney(amounts[row], lang, 'always')}
          </dd>
        </div>
      ))}
    </dl>
  )
}
