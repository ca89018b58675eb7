import '@/styles/overview.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { ItemPicture } from '@/features/catalogue/item-picture'
import { SellerChart } from '@/features/orders/seller-chart'
import { sellerEnded } from '@/features/orders/seller-ended'
import { openCases } from '@/features/orders/seller-open-cases'
import {
  type DaySpan,
  lowStock,
  type Overview,
  overview,
  SPANS,
  topProducts,
} from '@/features/orders/seller-overview-api'
import { formatMoment } from '@/lib/dates-moment'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { AlertIcon } from '@/ui/icons'
import { CheckCircleIcon } from '@/ui/icons-orders'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { useAddress } from '@/ui/use-address'

const USUAL: DaySpan = 7

const FIGURES = {
  orders: 'sover.orders',
  revenue: 'sover.revenue',
  averageBasket: 'sover.averageBasket',
  cashToCollect: 'sover.cashToCollect',
  paidOnline: 'sover.paidOnline',
  cancelled: 'sover.cancelled',
} satisfies Record<keyof Overview['figures'], MessageId>
const COUNTED = ['orders', 'cancelled']

/** How the shop is doing, and what to do next. */
export function SellerOverviewPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.overview'))
  const [read, write] = useAddress()
  const days = SPANS.find((each) => String(each) === read('days')) ?? USUAL
  const query = useQuery(overview(days))
  useEffect(() => sellerEnded(query.error), [query.error])
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.overview')}</h1>
        <fieldset className="segments overview-span">
          <legend className="sr-only">{t('sover.span')}</legend>
          {SPANS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === days}
              onClick={() => write({ days: each === USUAL ? '' : String(each) })}
            >
              {each === 1 ? t('sover.today') : t('sover.days', { n: each })}
            </button>
          ))}
        </fieldset>
      </div>
      <LoadState of={query} problem="sover.problem" skeleton={<OverviewSkeleton />}>
        {(data) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            <Figures of={data.figures} />
            {/* A day by itself has no course to draw. */}
            {data.days.length < 2 ? null : data.days.every(({ orders }) => orders === 0) ? (
              <p className="overview-quiet muted">{t('sover.quiet')}</p>
            ) : (
              <SellerChart days={data.days} />
            )}
            <p className="overview-made muted">
              {t('sover.made', { when: formatMoment(data.madeAt, lang) })}
            </p>
          </div>
        )}
      </LoadState>
      <OpenCases />
      <div className="overview-beside">
        <TopProducts days={days} />
        <LowStock />
      </div>
    </>
  )
}

function Figures({ of }: { of: Overview['figures'] }) {
  const t = useT()
  const lang = useLang()
  return (
    <dl className="figures">
      {Object.entries(FIGURES).map(([name, label]) => {
        const value = of[name as keyof typeof FIGURES]
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

function TopProducts({ days }: { days: DaySpan }) {
  const t = useT()
  const lang = useLang()
  const query = useQuery(topProducts(days))
  return (
    <Panel title={t('sover.top')}>
      <LoadState of={query} problem="sover.topProblem" skeleton={<RowsSkeleton />}>
        {(products) =>
          products.length === 0 ? (
            <p className="muted">{t('sover.topNone')}</p>
          ) : (
            <ol className={`overview-rows${query.isPlaceholderData ? ' stale' : ''}`}>
              {products.map((product) => (
                <li key={product._id} data-testid="top-product">
                  <ItemPicture item={product} />
                  <span>
                    <span lang={scriptLang(localText(product, 'name', lang), lang)}>
                      {localText(product, 'name', lang)}
                    </span>
                    <span className="muted">{t('sover.sold', { n: product.quantity })}</span>
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

/** The frame asks for it anyway; here it is said in words. */
function OpenCases() {
  const t = useT()
  const { data: open } = useQuery(openCases)
  if (open === undefined) return null
  return (
    <Link className="overview-cases" data-open={open > 0} to={paths.sellerAttention}>
      {open > 0 ? <AlertIcon size={24} /> : <CheckCircleIcon size={24} />}
      <span>
        <strong>{t('seller.attention')}</strong>
        <span>{t('sover.cases', { n: open })}</span>
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
    <Panel title={t('sover.low')}>
      <LoadState of={query} problem="sover.lowProblem" skeleton={<RowsSkeleton />}>
        {({ products, low, out }) => (
          <>
            {products.length === 0 ? (
              <p className="muted">{t('sover.lowNone')}</p>
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
                    <span className="badge badge-low">{t('sover.left', { n: product.stock })}</span>
                  </li>
                ))}
              </ul>
            )}
            <p className="overview-links">
              {low > 0 ? all('low', t('sover.allLow', { n: low })) : null}
              {out > 0 ? all('out', t('sover.allOut', { n: out })) : null}
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
          <div key={name} className="figure-blank skeleton" />
        ))}
      </div>
      <div className="chart-blank skeleton" />
    </div>
  )
}

function RowsSkeleton() {
  return (
    <div className="overview-rows skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className="row-blank skeleton" />
      ))}
    </div>
  )
}
