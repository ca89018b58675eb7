import { useQuery } from '@tanstack/react-query'
import { type CashTransaction, cashLedger, cashSettlements } from '@/features/cash/api'
import { Day } from '@/features/orders/day'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { LoadState } from '@/ui/load-state'

const KINDS = {
  collected: 'seller.cash.line.collected',
  reversed: 'seller.cash.line.reversed',
  float_given: 'seller.cash.kind.float_given',
  float_returned: 'seller.cash.kind.float_returned',
  handed_in: 'seller.cash.kind.handed_in',
  difference: 'seller.cash.kind.difference',
  settled: 'seller.cash.line.settled',
} as const

const kindOf = (kind: string) => KINDS[kind as keyof typeof KINDS] ?? 'seller.cash.line.other'

/** What a line changed: the cash of orders, or the float, or only a difference. */
const amountOf = ({ amount, float, difference }: CashTransaction) => amount || float || -difference

/** The movements of a rider's cash, newest first. */
export function RiderLedger({ rider }: { rider: string }) {
  const t = useT()
  const lang = useLang()
  const ledger = useQuery(cashLedger(rider))
  return (
    <LoadState
      query={ledger}
      problem="seller.cash.failed"
      skeleton={<div className="disclosure-skeleton skeleton" />}
    >
      {(lines) =>
        lines.length === 0 ? (
          <p className="muted">{t('seller.cash.noLines')}</p>
        ) : (
          <ul className="cash-lines">
            {lines.map((line) => (
              <li key={line._id} data-testid="cash-line">
                <span>
                  <span>
                    {t(kindOf(line.kind))} {line.orderId ? <span translate="no">#{line.orderId}</span> : null}
                  </span>
                  <span className="muted cash-when">
                    {formatDateTime(line.at, lang)} <span translate="no">{line.by}</span>
                  </span>
                  {line.note ? (
                    <span className="muted" translate="no">
                      {line.note}
                    </span>
                  ) : null}
                </span>
                <strong className="cash-amount">{formatMoney(toPaisa(amountOf(line)), lang, 'auto')}</strong>
              </li>
            ))}
          </ul>
        )
      }
    </LoadState>
  )
}

/** The days that were closed, with who signed them off. */
export function Settlements() {
  const t = useT()
  const lang = useLang()
  const settlements = useQuery(cashSettlements)
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
  return (
    <section className="box cash-box" aria-labelledby="cash-closed">
      <h2 id="cash-closed">{t('seller.cash.closedDays')}</h2>
      <LoadState
        query={settlements}
        problem="seller.cash.failed"
        skeleton={<div className="disclosure-skeleton skeleton" />}
      >
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{t('seller.cash.noneClosed')}</p>
          ) : (
            <ul className="cash-lines">
              {list.map((one) => (
                <li key={one._id} data-testid="settlement">
                  <span>
                    <span>
                      <span translate="no">{one.rider}</span>, <Day iso={one.day} />
                    </span>
                    <span className="muted cash-when">
                      {t('seller.cash.signed', {
                        name: one.closedBy,
                        at: formatDateTime(one.closedAt, lang),
                      })}
                    </span>
                    {one.note ? (
                      <span className="muted" translate="no">
                        {one.note}
                      </span>
                    ) : null}
                  </span>
                  <span className="cash-amount">
                    <strong>{money(one.counted)}</strong>
                    {one.counted === one.expected ? null : (
                      <span className="cash-difference">
                        {t('seller.cash.ofExpected', { amount: money(one.expected) })}
                      </span>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </LoadState>
    </section>
  )
}
