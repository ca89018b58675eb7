import '@/styles/packing.css'
import type { PriceFormat } from '@/features/orders/order-parts'
import type { Packing } from '@/features/packing/api'
import { PackedLine } from '@/features/packing/packed-line'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatRate } from '@/lib/money'

const REASON_TEXTS: Record<string, MessageId> = {
  not_available: 'packing.reason.not_available',
  damaged: 'packing.reason.damaged',
  not_wanted: 'packing.reason.not_wanted',
}

/** What was ordered against what was packed, and what it costs now. */
export function PackedSummary({ packing, price }: { packing: Packing; price: PriceFormat }) {
  const t = useT()
  const lang = useLang()
  const sums = [
    ['ordered', t('packing.orderedTotal'), packing.orderedTotal],
    ['due', t('packing.packedTotal'), packing.total],
    ...(packing.refund > 0 ? [['refund', t('packing.refund'), packing.refund] as const] : []),
  ] as const
  return (
    <section className="packed" data-testid="packed">
      <h3>{t('packing.title')}</h3>
      {packing.adjustments.length === 0 && packing.weights.length === 0 ? (
        <p>{t('packing.asOrdered')}</p>
      ) : (
        <>
          <ul className="packed-lines">
            {packing.adjustments.map((line) => (
              <PackedLine
                key={line.product}
                name={localText(line, 'name', lang)}
                line={line}
                reason={REASON_TEXTS[line.reason]}
                price={price}
              />
            ))}
          </ul>
          {packing.weights.length > 0 ? (
            <ul className="packed-lines">
              {packing.weights.map((line) => {
                const name = localText(line, 'name', lang)
                return (
                  <li key={line.product}>
                    <strong lang={scriptLang(name, lang)} translate="no">
                      {name}
                    </strong>
                    <span>
                      {t('packing.weight', {
                        kilograms: formatRate(line.grams / 1000, lang),
                        expected: formatRate(line.expectedGrams / 1000, lang),
                        price: price(line.amount),
                      })}
                    </span>
                  </li>
                )
              })}
            </ul>
          ) : null}
          <dl className="bill">
            {sums.map(([row, label, rupees]) => (
              <div key={row} className={row === 'due' ? 'bill-total' : `bill-${row}`}>
                <dt>{label}</dt>
                <dd>{price(rupees)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  )
}
