import { useId } from 'react'
import { lastDays } from '@/features/reports/date-range'
import type { DateRange } from '@/features/reports/money-api'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'

const QUICK = [7, 30]

/** The days of a report: two usual ranges, and any other. */
export function RangeFields({ span, onChange }: { span: DateRange; onChange: (next: DateRange) => void }) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const today = lastDays(1).to
  return (
    <div className="money-range">
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
              {t('seller.money.lastDays', { n: days })}
            </button>
          )
        })}
      </div>
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className="field">
          <label htmlFor={`${id}-${end}`}>
            {t(end === 'from' ? 'seller.money.from' : 'seller.money.to')}
          </label>
          {/* The browser's date field does not support Bikram Sambat. */}
          {lang === 'ne' ? <p className="field-hint">{formatDate(span[end], lang)}</p> : null}
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
