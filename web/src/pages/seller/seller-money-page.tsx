import '@/styles/orders.css'
import '@/styles/money.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { Day } from '@/features/orders/day'
import { lastDays, spanProblem } from '@/features/orders/seller-days'
import { sellerEnded } from '@/features/orders/seller-ended'
import {
  COLUMNS,
  csvAddress,
  type MoneyReport,
  moneyReport,
  type Span,
} from '@/features/orders/seller-money-api'
import { paymentStateWords, walletWords } from '@/features/orders/seller-payment-words'
import { formatMoment } from '@/lib/dates-moment'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'

const NAMES = {
  paid: 'smoney.paid',
  refunded: 'smoney.refunded',
  awaiting: 'smoney.awaiting',
  cashToCollect: 'smoney.cashToCollect',
  cashCollected: 'smoney.cashCollected',
} satisfies Record<(typeof COLUMNS)[number], MessageId>

const PROBLEMS = {
  missing: 'smoney.span.missing',
  backwards: 'smoney.span.backwards',
  long: 'smoney.span.long',
} satisfies Record<string, MessageId>

const QUICK = [7, 30]

/** What came in, went back and is still to come, day by day, and where the wallet sees it differently. */
export function SellerMoneyPage() {
  const t = useT()
  usePageTitle(t('seller.money'))
  const [span, setSpan] = useState(() => lastDays(7))
  const problem = spanProblem(span)
  const query = useQuery({ ...moneyReport(span), enabled: problem === null })
  useEffect(() => sellerEnded(query.error), [query.error])
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.money')}</h1>
        {problem ? null : (
          <a className="button button-outline" href={csvAddress(span)} download>
            {t('smoney.csv')}
          </a>
        )}
      </div>
      <SpanChoice span={span} onChange={setSpan} />
      {problem ? (
        <p className="order-warning" role="alert">
          {t(PROBLEMS[problem])}
        </p>
      ) : (
        <LoadState of={query} problem="smoney.failed" skeleton={<MoneySkeleton />}>
          {(report) => (
            <div className={query.isPlaceholderData ? 'stale' : undefined}>
              <Totals total={report.total} />
              <Days report={report} />
              <Differences of={report.differences} />
            </div>
          )}
        </LoadState>
      )}
    </>
  )
}

function SpanChoice({ span, onChange }: { span: Span; onChange: (next: Span) => void }) {
  const t = useT()
  const id = useId()
  const today = lastDays(1).to
  return (
    <div className="money-span">
      <div className="segments">
        {QUICK.map((days) => {
          const quick = lastDays(days)
          return (
            <button
              key={days}
              type="button"
              aria-pressed={quick.from === span.from && quick.to === span.to}
              onClick={() => onChange(quick)}
            >
              {t('smoney.last', { n: days })}
            </button>
          )
        })}
      </div>
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className="field">
          <label htmlFor={`${id}-${end}`}>{t(end === 'from' ? 'smoney.from' : 'smoney.to')}</label>
          <input
            id={`${id}-${end}`}
            className="input"
            type="date"
            max={today}
            value={span[end]}
            onChange={(event) => onChange({ ...span, [end]: event.target.value })}
          />
        </div>
      ))}
    </div>
  )
}

function useMoney() {
  const lang = useLang()
  return (rupees: number) => formatMoney(toPaisa(rupees), lang, 'always')
}

function Totals({ total }: { total: MoneyReport['total'] }) {
  const t = useT()
  const money = useMoney()
  return (
    <dl className="money-totals">
      {COLUMNS.map((column) => (
        <div key={column} data-testid={`total-${column}`}>
          <dt>{t(NAMES[column])}</dt>
          <dd>{money(total[column])}</dd>
        </div>
      ))}
    </dl>
  )
}

function Days({ report: { days, total } }: { report: MoneyReport }) {
  const t = useT()
  const money = useMoney()
  const cell = (rupees: number) => <span data-none={rupees === 0}>{money(rupees)}</span>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for those who scroll with keys
    <section className="money-box" aria-labelledby="by-day" tabIndex={0}>
      <table className="money-table">
        <caption id="by-day">{t('smoney.byDay')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('smoney.day')}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(NAMES[column])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">
                <Day iso={day.date} />
              </th>
              {COLUMNS.map((column) => (
                <td key={column}>{cell(day[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('smoney.total')}</th>
            {COLUMNS.map((column) => (
              <td key={column}>{cell(total[column])}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function Differences({ of }: { of: MoneyReport['differences'] }) {
  const t = useT()
  const lang = useLang()
  const money = useMoney()
  const words = (id: MessageId | null, code: string) => (id ? t(id) : code)
  return (
    <section className="money-differences" aria-labelledby="differences">
      <h2 id="differences">{t('smoney.differences')}</h2>
      {of.length === 0 ? (
        <p className="muted">{t('smoney.same')}</p>
      ) : (
        <ul>
          {of.map(({ order, paymentId, ours, wallet, amount, received, since }) => (
            <li key={paymentId} data-testid="difference">
              <Link className="link" to={paths.sellerOrders} hash={order.orderId} translate="no">
                #{order.orderId}
              </Link>
              <dl>
                <div>
                  <dt>{t('smoney.ours')}</dt>
                  <dd>
                    {words(paymentStateWords(ours), ours)}, {money(amount)}
                  </dd>
                </div>
                <div>
                  <dt>{t('smoney.wallets')}</dt>
                  <dd>
                    {words(walletWords(wallet), wallet)}
                    {received === null ? '' : `, ${money(received)}`}
                  </dd>
                </div>
                <div>
                  <dt>{t('smoney.since')}</dt>
                  <dd>{formatMoment(since, lang)}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function MoneySkeleton() {
  return (
    <div className="skeleton-late" aria-hidden="true">
      <div className="money-blank skeleton" />
      <div className="money-blank money-blank-tall skeleton" />
    </div>
  )
}
