import { useState } from 'react'
import { roundUpScale } from '@/features/reports/chart-scale'
import type { HourFigures } from '@/features/reports/overview-api'
import { useBarKeys } from '@/features/reports/use-bar-keys'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber, localDigits } from '@/lib/money'

/** Units of the drawing; it is stretched to the available width. */
const COLUMN = 10
const HEIGHT = 100
const GAP = 2
/** The hours that are always drawn; earlier and later ones only if there were orders. */
const [FIRST_HOUR, LAST_HOUR] = [6, 21]

/** The hours of the day without the quiet ones at its ends. */
export function busyHours(hours: HourFigures[]): HourFigures[] {
  const busy = hours.filter(({ orders, ordersLastWeek }) => orders + ordersLastWeek > 0)
  const first = Math.min(FIRST_HOUR, ...busy.map(({ hour }) => hour))
  const last = Math.max(LAST_HOUR, ...busy.map(({ hour }) => hour))
  return hours.filter(({ hour }) => hour >= first && hour <= last)
}

/**
 * The orders of today by hour, in front of those of the same day last week. The chart is one tab stop; arrow keys move
 * between hours, and each hour announces its figures.
 */
export function HoursChart({ hours: all, now }: { hours: HourFigures[]; now: number }) {
  const t = useT()
  const lang = useLang()
  const [table, setTable] = useState(false)
  const hours = busyHours(all)
  /** The chosen hour; the default is the current one. */
  const [chosen, setChosen] = useState<number | null>(null)
  const found = hours.findIndex(({ hour }) => hour === (chosen ?? now))
  const at = found < 0 ? hours.length - 1 : found
  const { drawing, onKeyDown } = useBarKeys(hours.length, at, (index) =>
    setChosen(hours[index]?.hour ?? null),
  )
  const clock = (hour: number) => localDigits(`${String(hour).padStart(2, '0')}:00`, lang)
  const say = ({ hour, orders, ordersLastWeek }: HourFigures) =>
    t('seller.overview.hour', {
      hours: `${clock(hour)}–${clock(hour + 1)}`,
      n: orders,
      before: formatNumber(ordersLastWeek, lang),
    })
  const top = roundUpScale(
    Math.max(...hours.flatMap(({ orders, ordersLastWeek }) => [orders, ordersLastWeek])),
  )
  const current = hours[at]
  return (
    <section className="chart" aria-labelledby="hours-title">
      <div className="chart-head">
        <h2 id="hours-title">{t('seller.overview.byHour')}</h2>
        <button type="button" className="button button-plain" onClick={() => setTable(!table)}>
          {t(table ? 'seller.overview.asChart' : 'seller.overview.asTable')}
        </button>
      </div>
      {table ? (
        <table className="figure-table">
          <caption className="sr-only">{t('seller.overview.byHour')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('seller.overview.time')}</th>
              <th scope="col">{t('seller.overview.today')}</th>
              <th scope="col">{t('seller.overview.weekAgo')}</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, orders, ordersLastWeek }) => (
              <tr key={hour}>
                <th scope="row">{`${clock(hour)}–${clock(hour + 1)}`}</th>
                {/* An hour that has not begun has no figure yet. */}
                <td>{hour > now ? '–' : formatNumber(orders, lang)}</td>
                <td>{formatNumber(ordersLastWeek, lang)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <>
          {/* For sighted users only: screen readers announce the hour itself. */}
          <p className="chart-now" aria-hidden="true" data-testid="hours-now">
            {current ? say(current) : ''}
          </p>
          <div className="chart-panel hours-panel">
            <p className="chart-name chart-keys" aria-hidden="true">
              <span className="chart-key">{t('seller.overview.today')}</span>
              <span className="chart-key chart-key-before">{t('seller.overview.weekAgo')}</span>
            </p>
            <div className="chart-scale" aria-hidden="true">
              <span>{formatNumber(top, lang)}</span>
              {/* Half an order is not a meaningful figure. */}
              <span>{top % 2 === 0 ? formatNumber(top / 2, lang) : ''}</span>
              <span>{formatNumber(0, lang)}</span>
            </div>
            <svg
              ref={drawing}
              className="chart-bars chart-orders"
              viewBox={`0 0 ${hours.length * COLUMN} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="group"
              aria-label={t('seller.overview.hoursChart')}
              onKeyDown={onKeyDown}
            >
              {[0, HEIGHT / 2, HEIGHT].map((y) => (
                <line key={y} className="chart-line" x1="0" x2={hours.length * COLUMN} y1={y} y2={y} />
              ))}
              {hours.map((figures, index) => {
                const x = index * COLUMN
                const today = (figures.orders / top) * HEIGHT
                const before = (figures.ordersLastWeek / top) * HEIGHT
                return (
                  <g
                    key={figures.hour}
                    data-bar={figures.hour}
                    data-active={index === at}
                    onPointerEnter={() => setChosen(figures.hour)}
                    {...{
                      role: 'img',
                      tabIndex: index === at ? 0 : -1,
                      'aria-label': say(figures),
                      onFocus: () => setChosen(figures.hour),
                    }}
                  >
                    <rect className="chart-plot" x={x} y="0" width={COLUMN} height={HEIGHT} />
                    <rect
                      className="chart-before"
                      x={x + GAP / 2}
                      y={HEIGHT - before}
                      width={COLUMN - GAP}
                      height={before}
                    />
                    <rect
                      className="chart-bar"
                      x={x + 3}
                      y={HEIGHT - today}
                      width={COLUMN - 6}
                      height={today}
                    />
                  </g>
                )
              })}
            </svg>
          </div>
          <p className="chart-ends hours-ends" aria-hidden="true">
            <span>{clock(hours[0]?.hour ?? 0)}</span>
            <span>{clock((hours.at(-1)?.hour ?? 23) + 1)}</span>
          </p>
        </>
      )}
    </section>
  )
}
