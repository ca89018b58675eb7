import '@/styles/seller-overview.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { ItemPicture } from '@/features/catalogue/item-picture'
import { notOpened } from '@/features/orders/seller/not-opened'
import { openCases } from '@/features/orders/seller/open-cases'
import {
  lowStock,
  type Overview,
  overview,
  PERIODS,
  type Period,
  topProducts,
} from '@/features/reports/overview-api'
import { SalesChart } from '@/features/reports/sales-chart'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { AlertIcon } from '@/ui/icons'
import { CheckCircleIcon } from '@/ui/icons-orders'
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

/** The shop's key figures and what to do next. */
export function SellerOverviewPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.nav.overview'))
  const [read, write] = useSearchParams()
  const days = PERIODS.find((each) => String(each) === read('days')) ?? USUAL
  const query = useQuery(overview(days))
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
      <LoadState query={query} problem="seller.overview.problem" skeleton={<OverviewSkeleton />}>
        {(data) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            <Figures figures={data.figures} />
            {/* A single day has no trend to draw. */}
            {data.days.length < 2 ? null : data.days.every(({ orders }) => orders === 0) ? (
              <p className="overview-empty muted">{t('seller.overview.noOrders')}</p>
            ) : (
              <SalesChart days={data.days} />
            )}
            <p className="overview-as-of muted">
              {t('seller.overview.asOf', { when: formatDateTime(data.madeAt, lang) })}
            </p>
          </div>
        )}
      </LoadState>
      <NotOpened />
      <OpenCases />
      <div className="overview-columns">
        <TopProducts days={days} />
        <LowStock />
      </div>
    </>
  )
}

function Figures({ figures }: { figures: Overview['figures'] }) {
  const t = useT()
  const lang = useLang()
  return (
    <dl className="figures">
      {Object.entries(FIGURES).map(([name, label]) => {
        const value = figures[name as keyof typeof FIGURES]
        return (
          <div key={name} data-testid={`figure-${name}`}>
            <dt>{t(label)}</dt>
            <dd>
              {COUNTED.includes(name) ? formatNumber(value, lang) : formatMoney(toPaisa(value), lang, 'auto')}
            </dd>
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

/** The layout fetches the count anyway; here it is shown as a message. */
function OpenCases() {
  const t = useT()
  const { data: open } = useQuery(openCases)
  if (open === undefined) return null
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

function OverviewSkeleton() {
  return (
    <div className="skeleton-late" aria-hidden="true">
      <div className="figures">
        {Object.keys(FIGURES).map((name) => (
          <div key={name} className="figure-skeleton skeleton" />
        ))}
      </div>
      <div className="chart-skeleton skeleton" />
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
