import type { ReactNode } from 'react'
import type { DateRange } from '@/features/reports/money-api'
import { RangeFields } from '@/features/reports/range-fields'
import { type MessageId, useT } from '@/lib/i18n'

type ReportHeadProps = {
  title: MessageId
  intro?: MessageId
  /** Links to related pages. */
  links: ReactNode
  /** The file of the chosen days. */
  csvUrl: string
  span: DateRange
  onChange: (span: DateRange) => void
  /** Why the chosen days cannot be shown. */
  problem: MessageId | null
}

/** The top of a report by days: its title, what belongs to it, and the choice of the days. */
export function ReportHead({ title, intro, links, csvUrl, span, onChange, problem }: ReportHeadProps) {
  const t = useT()
  return (
    <>
      <div className="seller-title">
        <h1>{t(title)}</h1>
        <div className="seller-page-tools">
          {links}
          {problem ? null : (
            <a className="button button-outline" href={csvUrl} download>
              {t('seller.money.downloadCsv')}
            </a>
          )}
        </div>
      </div>
      {intro ? <p className="muted">{t(intro)}</p> : null}
      <RangeFields span={span} onChange={onChange} />
      {problem ? (
        <p className="order-warning" role="alert">
          {t(problem)}
        </p>
      ) : null}
    </>
  )
}
