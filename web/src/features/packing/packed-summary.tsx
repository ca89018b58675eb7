import '@/styles/packing.css'
import type { PriceFormat } from '@/features/orders/order-parts'
import type { Packing } from '@/features/packing/api'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'

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
      {packing.adjustments.length === 0 ? (
        <p>{t('packing.asOrdered')}</p>
      ) : (
        <>
          <ul className="packed-lines">
            {packing.adjustments.map((line) => {
              const name = localText(line, 'name', lang)
              const reason = REASON_TEXTS[line.reason]
              const other = line.replacement && localText(line.replacement, 'name', lang)
              return (
                <li key={line.product}>
                  <strong lang={scriptLang(name, lang)} translate="no">
                    {name}
                  </strong>
                  <span>
                    {t('packing.count', {
                      packed: formatNumber(line.packed, lang),
                      ordered: formatNumber(line.ordered, lang),
                    })}
                    {reason ? ` · ${t(reason)}` : ''}
                  </span>
                  {line.replacement && other ? (
                    <span>
                      {t('packing.instead')}{' '}
                      <span lang={scriptLang(other, lang)} translate="no">
                        {formatNumber(line.replacement.quantity, lang)} × {other}
                      </span>
                      , {price(line.replacement.price * line.replacement.quantity)}
                    </span>
                  ) : null}
                </li>
              )
            })}
          </ul>
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
