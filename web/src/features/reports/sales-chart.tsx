import { useState } from 'react'
import { roundUpScale } from '@/features/reports/chart-scale'
import type { DayFigures } from '@/features/reports/overview-api'
import { useBarKeys } from '@/features/reports/use-bar-keys'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'

/** Units of the drawing; it is stretched to the available width. */
const COLUMN = 10
const HEIGHT = 100
const GAP = 2

type Measure = 'orders' | 'revenue'

/**
 * Orders and revenue by day in two charts, because two scales in one chart are misleading. The chart is one tab stop;
 * arrow keys move between days, and each day announces its figures.
 */
export function SalesChart({ days }: { days: DayFigures[] }) {
  const t = useT()
  const [table, setTable] = useState(false)
  /** The chosen day by its date, which stays valid when the period changes; the default is the last day. */
  const [chosen, setChosen] = useState('')
  const found = days.findIndex(({ date }) => date === chosen)
  const at = found < 0 ? days.length - 1 : found
  const day = days[at]
  const choose = (index: number) => setChosen(days[index]?.date ?? '')
  const say = useDayText()
  return (
    <section className="chart" aria-labelledby="chart-title">
      <div className="chart-head">
        <h2 id="chart-title">{t('seller.overview.byDay')}</h2>
        <button type="button" className="button button-plain" onClick={() => setTable(!table)}>
          {t(table ? 'seller.overview.asChart' : 'seller.overview.asTable')}
        </button>
      </div>
      {table ? (
        <DayTable days={days} />
      ) : (
        <>
          {/* For sighted users only: screen readers announce the day itself. */}
          <p className="chart-now" aria-hidden="true" data-testid="chart-now">
            {day ? say(day) : ''}
          </p>
          <Bars measure="orders" days={days} active={at} onActive={choose} focusable />
          <Bars measure="revenue" days={days} active={at} onActive={choose} />
          <Ends days={days} />
        </>
      )}
    </section>
  )
}

function useDayText() {
  const t = useT()
  const lang = useLang()
  return ({ date, orders, revenue }: DayFigures) =>
    t('seller.overview.day', {
      date: formatDate(date, lang),
      n: orders,
      revenue: formatMoney(toPaisa(revenue), lang, 'auto'),
    })
}

type BarsProps = {
  measure: Measure
  days: DayFigures[]
  active: number
  onActive: (index: number) => void
  /** Only the upper chart can be focused; its days announce both figures. */
  focusable?: boolean
}

function Bars({ measure, days, active, onActive, focusable = false }: BarsProps) {
  const t = useT()
  const lang = useLang()
  const say = useDayText()
  const { drawing, onKeyDown } = useBarKeys(days.length, active, onActive)
  const top = roundUpScale(Math.max(...days.map((day) => day[measure])))
  const figure = (value: number) =>
    measure === 'orders' ? formatNumber(value, lang) : formatMoney(toPaisa(value), lang, 'auto')

  return (
    <div className="chart-panel">
      <p className="chart-name">
        {t(measure === 'orders' ? 'seller.overview.orders' : 'seller.overview.revenue')}
      </p>
      <div className="chart-scale" aria-hidden="true">
        <span>{figure(top)}</span>
        {/* Half an order is not a meaningful figure. */}
        <span>{measure === 'orders' && top % 2 !== 0 ? '' : figure(top / 2)}</span>
        <span>{figure(0)}</span>
      </div>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the upper chart has labels, the lower one is decoration */}
      <svg
        ref={drawing}
        className={`chart-bars chart-${measure}`}
        viewBox={`0 0 ${days.length * COLUMN} ${HEIGHT}`}
        preserveAspectRatio="none"
        {...(focusable
          ? { role: 'group', 'aria-label': t('seller.overview.chart'), onKeyDown }
          : { 'aria-hidden': true })}
      >
        {[0, HEIGHT / 2, HEIGHT].map((y) => (
          <line key={y} className="chart-line" x1="0" x2={days.length * COLUMN} y1={y} y2={y} />
        ))}
        {days.map((day, index) => {
          const height = (day[measure] / top) * HEIGHT
          return (
            <g
              key={day.date}
              data-bar={day.date}
              data-active={index === active}
              onPointerEnter={() => onActive(index)}
              {...(focusable
                ? {
                    role: 'img',
                    tabIndex: index === active ? 0 : -1,
                    'aria-label': say(day),
                    onFocus: () => onActive(index),
                  }
                : {})}
            >
              <rect className="chart-plot" x={index * COLUMN} y="0" width={COLUMN} height={HEIGHT} />
              <rect
                className="chart-bar"
                x={index * COLUMN + GAP / 2}
                y={HEIGHT - height}
                width={COLUMN - GAP}
                height={height}
              />
            </g>
          )
        })}
      </svg>
    </div>
  )
}

function Ends({ days }: { days: DayFigures[] }) {
  const lang = useLang()
  return (
    <p className="chart-ends" aria-hidden="true">
      <span>{formatDate(days[0]?.date ?? '', lang)}</span>
      <span>{formatDate(days.at(-1)?.date ?? '', lang)}</span>
    </p>
  )
}

function DayTable({ days }: { days: DayFigures[] }) {
  const t = useT()
  const lang = useLang()
  return (
    <table className="figure-table">
      <caption className="sr-only">{t('seller.overview.byDay')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('seller.overview.date')}</th>
          <th scope="col">{t('seller.overview.orders')}</th>
          <th scope="col">{t('seller.overview.revenue')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, orders, revenue }) => (
          <tr key={date}>
            <th scope="row">{formatDate(date, lang)}</th>
            <td>{formatNumber(orders, lang)}</td>
            <td>{formatMoney(toPaisa(revenue), lang, 'always')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
