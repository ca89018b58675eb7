import '@/styles/seller-overview.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { ItemPicture } from '@/features/catalogue/item-picture'
import { openComplaints } from '@/features/complaints/seller/open-complaints'
import { notOpened } from '@/features/orders/seller/not-opened'
import { openCases } from '@/features/orders/seller/open-cases'
import { orderCounts } from '@/features/orders/seller/order-counts'
import type { STATUSES } from '@/features/orders/status'
import {
  earlierDays,
  lastDays,
  lowStock,
  type Overview,
  overview,
  PERIODS,
  type Period,
  topProducts,
} from '@/features/reports/overview-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime, formatTime } from '@/lib/dates-time'
import type { Lang } from '@/lib/first-data'
import { loadWithMessages, type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { AlertIcon } from '@/ui/icons'
import { CheckCircleIcon } from '@/ui/icons-orders'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { useSearchParams } from '@/ui/use-search-params'

const USUAL: Period = 7

const FIGURES = {
  orders: 'seller.overview.orders',
  revenue: 'seller.overview.revenue',
  averageBasket: 'seller.overview.averageOrder',
  cashToCollect: 'seller.overview.cashToCollect',
  paidOnline: 'seller.overview.paidOnline',
  cancelled: 'seller.overview.cancelled',
} satisfies Record<keyof Overview['figures'], MessageId>
const COUNTED = ['orders', 'cancelled']
const COMPARED = ['orders', 'revenue', 'averageBasket']
const COUNT_MS = 60_000
/** A shop with more orders needs no first steps. */
const FEW_ORDERS = 10

const FirstSteps = lazyWithRetry(
  async () =>
    (await loadWithMessages('pages/seller/first-steps', () => import('@/pages/seller/first-steps')))
      .FirstSteps,
)
/** The figures and the tasks above it are read first. */
const SalesChart = lazyWithRetry(
  async () => (await import('@/features/reports/sales-chart')).SalesChart,
  <div className="chart-skeleton skeleton" aria-hidden="true" />,
)

const HoursChart = lazyWithRetry(
  async () => (await import('@/features/reports/hours-chart')).HoursChart,
  <div className="hours-skeleton skeleton" aria-hidden="true" />,
)

/** The shop's key figures and what to do next. */
export function SellerOverviewPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.nav.overview'))
  const [read, write] = useSearchParams()
  const days = PERIODS.find((each) => String(each) === read('days')) ?? USUAL
  const query = useQuery(overview(days))
  const unopened = useQuery(notOpened)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.overview')}</h1>
        <fieldset className="segments overview-period">
          <legend className="sr-only">{t('seller.overview.period')}</legend>
          {PERIODS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === days}
              onClick={() => write({ days: each === USUAL ? '' : String(each) })}
            >
              {each === 1 ? t('seller.overview.today') : t('seller.overview.days', { n: each })}
            </button>
          ))}
        </fieldset>
      </div>
      <NewShop />
      <ToDo />
      <LoadState
        query={query}
        problem="seller.overview.problem"
        skeleton={<OverviewSkeleton period={days} />}
      >
        {(data) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            <Figures figures={data.figures} period={days} />
            <Chart data={data} />
            <p className="overview-as-of muted">
              {t('seller.overview.asOf', { when: formatDateTime(data.madeAt, lang) })}
            </p>
          </div>
        )}
      </LoadState>
      <NotOpened />
      {/* Shown when it is known whether something stands above it, so that it does not move. */}
      <div className="overview-columns" hidden={unopened.isPending}>
        <TopProducts days={days} />
        <LowStock />
      </div>
    </>
  )
}

/** The orders of a day by hour, or the sales of several days by day. */
function Chart({ data }: { data: Overview }) {
  const t = useT()
  const { hours = [], days, figures, madeAt } = data
  const lastWeek = hours.reduce((sum, { ordersLastWeek }) => sum + ordersLastWeek, 0)
  if (figures.orders + lastWeek === 0)
    return <p className="overview-empty muted">{t('seller.overview.noOrders')}</p>
  if (days.length > 1) return <SalesChart days={days} />
  return hours.length > 0 ? (
    <HoursChart hours={hours} now={Number(formatTime(madeAt, 'en').slice(0, 2))} />
  ) : null
}

/** What waits for the staff, each with the way to it. */
function ToDo() {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const counts = useQuery({ ...orderCounts(false), refetchInterval: COUNT_MS }).data?.counts
  const stock = useQuery(lowStock).data
  // Unknown until the counts are there: a zero would say that nothing waits.
  const n = (...wanted: (typeof STATUSES)[number][]) =>
    counts
      ?.filter(({ status }) => wanted.some((each) => each === status))
      .reduce((sum, { count }) => sum + count, 0)
  const tasks = [
    {
      key: 'confirm',
      n: n('Order Placed'),
      to: paths.sellerOrders,
      search: { status: 'Order Placed' },
    },
    { key: 'pack', n: n('Order Confirmed'), to: paths.sellerPacking },
    { key: 'deliver', n: n('Order Shipped', 'Out for Delivery'), to: paths.sellerDelivery },
    { key: 'restock', n: stock?.out, to: paths.seller, search: { stock: 'out' } },
  ] as const
  return (
    <section className="overview-todo" aria-labelledby={id}>
      <h2 id={id}>{t('seller.overview.todo')}</h2>
      <OpenCases />
      <ul>
        {tasks.map((task) => (
          <li key={task.key} data-none={!task.n}>
            <Link to={task.to} {...('search' in task ? { search: task.search as never } : {})}>
              <strong>{task.n === undefined ? '–' : formatNumber(task.n, lang)}</strong>
              {t(`seller.overview.todo.${task.key}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a new shop has to do before it can sell. */
function NewShop() {
  const orders = useQuery(orderCounts(false)).data?.all.count
  return orders !== undefined && orders < FEW_ORDERS ? <FirstSteps /> : null
}

/** The figures of the period that this one is compared with, as a line below each. */
function useComparison(period: Period): (name: string, value: number) => string {
  const t = useT()
  const lang = useLang()
  const earlier = earlierDays(useQuery(lastDays).data ?? [], period)
  if (earlier.length === 0) return () => ''
  const sum = (name: 'orders' | 'revenue') => earlier.reduce((total, day) => total + day[name], 0)
  const [orders, revenue] = [sum('orders'), sum('revenue')]
  const before: Record<string, number> = { orders, revenue, averageBasket: orders > 0 ? revenue / orders : 0 }
  return (name, value) => {
    const was = before[name]
    if (was === undefined) return ''
    const text = { value: formatFigure(name, was, lang) }
    if (period === 1) return t('seller.overview.lastWeek', text)
    const change = was > 0 ? Math.round((value / was - 1) * 100) : 0
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
    const line = t('seller.overview.before', text)
    return was > 0 ? `${sign}${formatNumber(Math.abs(change), lang)}% · ${line}` : line
  }
}

const formatFigure = (name: string, value: number, lang: Lang) =>
  COUNTED.includes(name) ? formatNumber(value, lang) : formatMoney(toPaisa(value), lang, 'auto')

function Figures({ figures, period }: { figures: Overview['figures']; period: Period }) {
  const t = useT()
  const lang = useLang()
  const compare = useComparison(period)
  return (
    <dl className="figures">
      {Object.entries(FIGURES).map(([name, label]) => {
        const value = figures[name as keyof typeof FIGURES]
        return (
          <div key={name} data-testid={`figure-${name}`}>
            <dt>{t(label)}</dt>
            <dd>{formatFigure(name, value, lang)}</dd>
            {/* The line is there from the start, so that the comparison moves nothing. */}
            {COMPARED.includes(name) && period !== 30 ? (
              <dd className="figure-before">{compare(name, value)}</dd>
            ) : null}
          </div>
        )
      })}
    </dl>
  )
}

function Panel({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className="overview-panel" aria-labelledby={id}>
      <div className="overview-head">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

function TopProducts({ days }: { days: Period }) {
  const t = useT()
  const lang = useLang()
  const query = useQuery(topProducts(days))
  return (
    <Panel title={t('seller.overview.top')}>
      <LoadState query={query} problem="seller.overview.topProblem" skeleton={<RowsSkeleton />}>
        {(products) =>
          products.length === 0 ? (
            <p className="muted">{t('seller.overview.topNone')}</p>
          ) : (
            <ol className={`overview-rows${query.isPlaceholderData ? ' stale' : ''}`}>
              {products.map((product) => (
                <li key={product._id} data-testid="top-product">
                  <ItemPicture item={product} />
                  <span>
                    <span lang={scriptLang(localText(product, 'name', lang), lang)}>
                      {localText(product, 'name', lang)}
                    </span>
                    <span className="muted">{t('seller.overview.sold', { n: product.quantity })}</span>
                  </span>
                  <strong>{formatMoney(toPaisa(product.revenue), lang, 'auto')}</strong>
                </li>
              ))}
            </ol>
          )
        }
      </LoadState>
    </Panel>
  )
}

/** New orders that nobody of the staff has opened. */
function NotOpened() {
  const t = useT()
  const lang = useLang()
  const { data } = useQuery(notOpened)
  if (!data || data.count === 0) return null
  return (
    <Panel title={t('seller.overview.notOpened', { n: data.count })}>
      <ul className="overview-rows overview-orders">
        {data.orders.map((order) => (
          <li key={order._id} data-testid="not-opened">
            <Link className="overview-name" to={paths.sellerOrders} hash={order.orderId} translate="no">
              #{order.orderId}
            </Link>
            <span className="muted">{formatDateTime(order.date, lang)}</span>
            <strong>{formatMoney(toPaisa(order.total), lang, 'auto')}</strong>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The layout fetches both counts anyway and shows their sum beside the entry; here it is a message. */
function OpenCases() {
  const t = useT()
  const { data: cases } = useQuery(openCases)
  const { data: complaints } = useQuery(openComplaints)
  if (cases === undefined || complaints === undefined)
    return <div className="overview-cases" aria-hidden="true" />
  const open = cases + complaints
  return (
    <Link className="overview-cases" data-open={open > 0} to={paths.sellerAttention}>
      {open > 0 ? <AlertIcon size={24} /> : <CheckCircleIcon size={24} />}
      <span>
        <strong>{t('seller.nav.attention')}</strong>
        <span>{t('seller.overview.cases', { n: open })}</span>
      </span>
    </Link>
  )
}

function LowStock() {
  const t = useT()
  const lang = useLang()
  const query = useQuery(lowStock)
  const all = (stock: 'low' | 'out', text: string) => (
    <Link className="link" to={paths.seller} search={{ stock } as never}>
      {text}
    </Link>
  )
  return (
    <Panel title={t('seller.overview.low')}>
      <LoadState query={query} problem="seller.overview.lowProblem" skeleton={<RowsSkeleton />}>
        {({ products, low, out }) => (
          <>
            {products.length === 0 ? (
              <p className="muted">{t('seller.overview.lowNone')}</p>
            ) : (
              <ul className="overview-rows">
                {products.map((product) => (
                  <li key={product._id} data-testid="low-product">
                    <ItemPicture item={product} />
                    <Link
                      className="overview-name"
                      to={paths.seller}
                      search={{ stock: 'low', search: product.name } as never}
                      lang={scriptLang(localText(product, 'name', lang), lang)}
                    >
                      {localText(product, 'name', lang)}
                    </Link>
                    <span className="badge badge-low">{t('seller.overview.left', { n: product.stock })}</span>
                  </li>
                ))}
              </ul>
            )}
            <p className="overview-links">
              {low > 0 ? all('low', t('seller.overview.allLow', { n: low })) : null}
              {out > 0 ? all('out', t('seller.overview.allOut', { n: out })) : null}
            </p>
          </>
        )}
      </LoadState>
    </Panel>
  )
}

/** As high as what replaces it, so that the lists below do not move. */
function OverviewSkeleton({ period }: { period: Period }) {
  return (
    <div className="skeleton-late" aria-hidden="true">
      <div className="figures">
        {Object.keys(FIGURES).map((name) => (
          <div key={name} className="figure-skeleton skeleton">
            {COMPARED.includes(name) && period !== 30 ? <div className="figure-before" /> : null}
          </div>
        ))}
      </div>
      <div className={`${period === 1 ? 'hours-skeleton' : 'chart-skeleton'} skeleton`} />
      <p className="overview-as-of">&nbsp;</p>
    </div>
  )
}

function RowsSkeleton() {
  return (
    <div className="overview-rows skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className="row-skeleton skeleton" />
      ))}
    </div>
  )
}
