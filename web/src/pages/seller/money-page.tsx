import '@/styles/orders.css'
import '@/styles/seller-money.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Day } from '@/features/orders/day'
import { Amount } from '@/features/reports/amount'
import { lastDays, rangeProblem } from '@/features/reports/date-range'
import { COLUMNS, csvUrl, type MoneyReport, moneyReport } from '@/features/reports/money-api'
import { ReportHead } from '@/features/reports/report-head'
import { paymentStateMessage, walletStatusMessage } from '@/features/settlement/payment-messages'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'

const NAMES = {
  paid: 'seller.money.paid',
  refunded: 'seller.money.refunded',
  awaiting: 'seller.money.awaiting',
  cashToCollect: 'seller.money.cashToCollect',
  cashCollected: 'seller.money.cashCollected',
} satisfies Record<(typeof COLUMNS)[number], MessageId>

const PROBLEMS = {
  missing: 'seller.money.rangeError.missing',
  backwards: 'seller.money.rangeError.backwards',
  long: 'seller.money.rangeError.long',
} satisfies Record<string, MessageId>

/** Payments, refunds and outstanding sums by day, and differences to the wallet. */
export function SellerMoneyPage() {
  const t = useT()
  usePageTitle(t('seller.nav.money'))
  const [span, setSpan] = useState(() => lastDays(7))
  const problem = rangeProblem(span)
  const query = useQuery({ ...moneyReport(span), enabled: problem === null })
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <>
      <ReportHead
        title="seller.nav.money"
        links={
          <>
            <Link className="button button-plain" to={paths.sellerMargin}>
              {t('seller.money.margin')}
            </Link>
            <Link className="button button-plain" to={paths.sellerBills}>
              {t('seller.money.bills')}
            </Link>
          </>
        }
        csvUrl={csvUrl(span)}
        span={span}
        onChange={setSpan}
        problem={problem && PROBLEMS[problem]}
      />
      {problem ? null : (
        <LoadState query={query} problem="seller.money.failed" skeleton={<MoneySkeleton />}>
          {(report) => (
            <div className={query.isPlaceholderData ? 'stale' : undefined}>
              <Totals total={report.total} />
              <Days report={report} />
              <Riders riders={report.riders} />
              <Differences differences={report.differences} />
            </div>
          )}
        </LoadState>
      )}
    </>
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for those who scroll with keys
    <section className="money-box" aria-labelledby="by-day" tabIndex={0}>
      <table className="money-table">
        <caption id="by-day">{t('seller.money.byDay')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('seller.money.day')}</th>
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
                <td key={column}>
                  <Amount value={day[column]} text={money(day[column])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('seller.money.total')}</th>
            {COLUMNS.map((column) => (
              <td key={column}>
                <Amount value={total[column]} text={money(total[column])} />
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

/** The cash of each rider by day, as the cash ledger has it. */
function Riders({ riders }: { riders: MoneyReport['riders'] }) {
  const t = useT()
  const money = useMoney()
  if (riders.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for those who scroll with keys
    <section className="money-box" aria-labelledby="by-rider" tabIndex={0}>
      <table className="money-table">
        <caption id="by-rider">{t('seller.money.byRider')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('seller.money.day')}</th>
            <th scope="col">{t('seller.money.rider')}</th>
            <th scope="col">{t('seller.money.collected')}</th>
            <th scope="col">{t('seller.money.handedIn')}</th>
            <th scope="col">{t('seller.money.missing')}</th>
          </tr>
        </thead>
        <tbody>
          {riders.map(({ date, rider, collected, handedIn, missing }) => (
            <tr key={`${date}-${rider}`} data-testid="rider-day">
              <th scope="row">
                <Day iso={date} />
              </th>
              <td translate={rider ? 'no' : undefined}>{rider || t('seller.money.till')}</td>
              {[collected, handedIn, missing].map((rupees, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
                <td key={column}>
                  <Amount value={rupees} text={money(rupees)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Differences({ differences }: { differences: MoneyReport['differences'] }) {
  const t = useT()
  const lang = useLang()
  const money = useMoney()
  const words = (id: MessageId | null, code: string) => (id ? t(id) : code)
  return (
    <section className="money-differences" aria-labelledby="differences">
      <h2 id="differences">{t('seller.money.differences')}</h2>
      {differences.length === 0 ? (
        <p className="muted">{t('seller.money.noDifferences')}</p>
      ) : (
        <ul>
          {differences.map(({ order, paymentId, ours, wallet, amount, received, since }) => (
            <li key={paymentId} data-testid="difference">
              <Link className="link" to={paths.sellerOrders} hash={order.orderId} translate="no">
                #{order.orderId}
              </Link>
              <dl>
                <div>
                  <dt>{t('seller.money.ourRecord')}</dt>
                  <dd>
                    {words(paymentStateMessage(ours), ours)}, {money(amount)}
                  </dd>
                </div>
                <div>
                  <dt>{t('seller.money.walletRecord')}</dt>
                  <dd>
                    {words(walletStatusMessage(wallet), wallet)}
                    {received === null ? '' : `, ${money(received)}`}
                  </dd>
                </div>
                <div>
                  <dt>{t('seller.money.since')}</dt>
                  <dd>{formatDateTime(since, lang)}</dd>
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
      <div className="money-skeleton skeleton" />
      <div className="money-skeleton money-skeleton-tall skeleton" />
    </div>
  )
}
