import '@/styles/orders.css'
import '@/styles/seller-money.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Day } from '@/features/orders/day'
import { Amount } from '@/features/reports/amount'
import { lastDays, rangeProblem } from '@/features/reports/date-range'
import {
  MAX_MARGIN_DAYS,
  type MarginReport,
  type MarginSums,
  marginCsvUrl,
  marginReport,
} from '@/features/reports/margin-api'
import { ReportHead } from '@/features/reports/report-head'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, formatNumber, formatRate, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { ChartIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

const PROBLEMS = {
  missing: 'seller.money.rangeError.missing',
  backwards: 'seller.money.rangeError.backwards',
  long: 'seller.margin.rangeLong',
} satisfies Record<string, MessageId>

/** Revenue without VAT, what the goods cost, and what is left, by day and by product. */
export function SellerMarginPage() {
  const t = useT()
  usePageTitle(t('seller.margin.title'))
  const [span, setSpan] = useState(() => lastDays(7))
  const problem = rangeProblem(span, MAX_MARGIN_DAYS)
  const query = useQuery({ ...marginReport(span), enabled: problem === null })
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <>
      <ReportHead
        title="seller.margin.title"
        intro="seller.margin.intro"
        links={
          <Link className="button button-plain" to={paths.sellerMoney}>
            {t('seller.nav.money')}
          </Link>
        }
        csvUrl={marginCsvUrl(span)}
        span={span}
        onChange={setSpan}
        problem={problem && PROBLEMS[problem]}
      />
      {problem ? null : (
        <LoadState
          query={query}
          problem="seller.margin.failed"
          skeleton={<div className="money-skeleton money-skeleton-tall skeleton" />}
        >
          {(report) =>
            report.total.quantity === 0 ? (
              <StatePanel
                icon={<ChartIcon size={36} />}
                title={t('seller.margin.none')}
                text={t('seller.margin.noneText')}
              />
            ) : (
              <div className={query.isPlaceholderData ? 'stale' : undefined}>
                <Totals total={report.total} />
                <Days report={report} />
                <Products report={report} />
              </div>
            )
          }
        </LoadState>
      )}
    </>
  )
}

function useFigures() {
  const t = useT()
  const lang = useLang()
  const money = (rupees: number) =>
    `${rupees < 0 ? '−' : ''}${formatMoney(Math.abs(toPaisa(rupees)), lang, 'always')}`
  return {
    money,
    margin: ({ margin }: MarginSums) => (margin === null ? t('seller.margin.unknown') : money(margin)),
    cost: ({ margin, cost }: MarginSums) => (margin === null ? t('seller.margin.unknown') : money(cost)),
    rate: ({ marginPercent }: MarginSums) => (marginPercent === null ? '' : formatRate(marginPercent, lang)),
    units: (units: number) => formatNumber(units, lang),
  }
}

function Totals({ total }: { total: MarginSums }) {
  const t = useT()
  const { money, margin, cost, rate } = useFigures()
  return (
    <>
      <dl className="money-totals">
        <div data-testid="total-margin">
          <dt>{t('seller.margin.margin')}</dt>
          <dd>
            {margin(total)} <span className="muted">{rate(total) ? `${rate(total)} %` : ''}</span>
          </dd>
        </div>
        <div data-testid="total-revenue">
          <dt>{t('seller.margin.revenue')}</dt>
          <dd>{money(total.revenue)}</dd>
        </div>
        <div data-testid="total-cost">
          <dt>{t('seller.margin.cost')}</dt>
          <dd>{cost(total)}</dd>
        </div>
      </dl>
      {total.quantityWithoutCost > 0 ? (
        <p className="order-warning" role="status">
          {t('seller.margin.withoutCost', {
            n: total.quantityWithoutCost,
            revenue: money(total.revenueWithoutCost),
          })}{' '}
          <Link className="link" to={paths.sellerStock}>
            {t('seller.margin.enterCosts')}
          </Link>
        </p>
      ) : null}
    </>
  )
}

const HEADS = [
  'seller.margin.revenue',
  'seller.margin.cost',
  'seller.margin.margin',
  'seller.margin.rate',
  'seller.margin.unitsWithoutCost',
] satisfies MessageId[]

function Figures({ sums }: { sums: MarginSums }) {
  const { money, margin, cost, rate, units } = useFigures()
  const nothing = <Amount value={0} text={money(0)} />
  return (
    <>
      <td>
        <Amount value={sums.revenue} text={money(sums.revenue)} />
      </td>
      <td data-none={sums.margin === null}>{sums.quantity === 0 ? nothing : cost(sums)}</td>
      <td data-none={sums.margin === null}>{sums.quantity === 0 ? nothing : margin(sums)}</td>
      <td>{rate(sums) || '–'}</td>
      <td>
        <Amount value={sums.quantityWithoutCost} text={units(sums.quantityWithoutCost)} />
      </td>
    </>
  )
}

function Heads({ first }: { first: MessageId }) {
  const t = useT()
  return (
    <thead>
      <tr>
        {[first, ...HEADS].map((head) => (
          <th key={head} scope="col">
            {t(head)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Days({ report: { days } }: { report: MarginReport }) {
  const t = useT()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for those who scroll with keys
    <section className="money-box" aria-labelledby="margin-days" tabIndex={0}>
      <table className="money-table">
        <caption id="margin-days">{t('seller.money.byDay')}</caption>
        <Heads first="seller.money.day" />
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">
                <Day iso={day.date} />
              </th>
              <Figures sums={day} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Products({ report: { products } }: { report: MarginReport }) {
  const t = useT()
  const lang = useLang()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for those who scroll with keys
    <section className="money-box" aria-labelledby="margin-products" tabIndex={0}>
      <table className="money-table margin-products">
        <caption id="margin-products">{t('seller.margin.byProduct')}</caption>
        <Heads first="seller.margin.product" />
        <tbody>
          {products.map((product) => (
            <tr key={product._id}>
              <th scope="row" translate="no">
                {localText(product, 'name', lang)}
              </th>
              <Figures sums={product} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
