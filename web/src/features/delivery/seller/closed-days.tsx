import { useId, useState } from 'react'
import { serverText } from '@/api/server-text'
import { WEEKDAYS } from '@/features/delivery/hours'
import { type ClosedDay, type ClosedDayInput, rulesApi } from '@/features/delivery/seller/rules-api'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { SelectField, TextField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'seller.zones.saveFailed', broken: 'seller.zones.saveError' } as const

type ClosedDaysProps = { days: ClosedDay[]; today: string }

function useChange() {
  const [busy, run] = useBusy()
  const change = (work: () => Promise<unknown>, done?: () => void) =>
    run(async () => {
      try {
        await work()
        toast.success('seller.zones.saved')
        done?.()
      } catch (error) {
        toast.error(serverText(error, TEXTS))
      }
    })
  return [busy, change] as const
}

/** One press closes the shop for today, and one opens it again. */
export function ClosedToday({ days, today }: ClosedDaysProps) {
  const t = useT()
  const [busy, change] = useChange()
  const closed = days.find(({ day }) => day === today)
  return (
    <section className="box zone-today" data-testid="closed-today">
      <p role="status">{t(closed ? 'seller.zones.isClosedToday' : 'seller.zones.isOpenToday')}</p>
      <button
        type="button"
        className={`button ${closed ? 'button-primary' : 'button-outline'}`}
        disabled={busy}
        onClick={() =>
          void change(() => (closed ? rulesApi.openDay(closed._id) : rulesApi.closeDay({ day: today })))
        }
      >
        {t(closed ? 'seller.zones.openToday' : 'seller.zones.closeToday')}
      </button>
    </section>
  )
}

/** Closed days of every week and single ones, such as festivals. */
export function ClosedDays({ days, today }: ClosedDaysProps) {
  const t = useT()
  const lang = useLang()
  const [busy, change] = useChange()
  const listed = days.filter(({ day }) => day === null || day >= today)
  const nameOf = ({ day, weekday }: ClosedDay) =>
    day
      ? formatDate(day, lang)
      : t('seller.zones.closedEvery', { day: t(WEEKDAYS[weekday ?? 0] ?? 'weekday.sun') })
  return (
    <section className="box" aria-labelledby="closed-days">
      <h2 id="closed-days">{t('seller.zones.closedTitle')}</h2>
      {listed.length === 0 ? <p className="muted">{t('seller.zones.closedNone')}</p> : null}
      <ul className="zone-closed">
        {listed.map((closed) => (
          <li key={closed._id} data-testid="closed-day">
            <span>
              <strong>{nameOf(closed)}</strong>{' '}
              <span className="muted" translate="no">
                {localText(closed, 'reason', lang)}
              </span>
            </span>
            <button
              type="button"
              className="button button-plain"
              disabled={busy}
              aria-label={t('seller.zones.openDay', { day: nameOf(closed) })}
              onClick={() => void change(() => rulesApi.openDay(closed._id))}
            >
              {t('seller.zones.open')}
            </button>
          </li>
        ))}
      </ul>
      <CloseDayForm today={today} />
    </section>
  )
}

function CloseDayForm({ today }: { today: string }) {
  const t = useT()
  const id = useId()
  const [busy, change] = useChange()
  const [kind, setKind] = useState('date')
  const [day, setDay] = useState('')
  const [weekday, setWeekday] = useState('6')
  const [reason, setReason] = useState('')
  const [reasonNe, setReasonNe] = useState('')
  const body: ClosedDayInput = {
    ...(kind === 'date' ? { day } : { weekday: Number(weekday) }),
    reason: reason.trim(),
    reasonNe: reasonNe.trim(),
  }
  const clear = () => {
    setDay('')
    setReason('')
    setReasonNe('')
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void change(() => rulesApi.closeDay(body), clear)
      }}
    >
      <div className="field-row zone-pair">
        <SelectField
          id={`${id}-kind`}
          label={t('seller.zones.closeKind')}
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        >
          <option value="date">{t('seller.zones.closeDate')}</option>
          <option value="weekday">{t('seller.zones.closeWeekday')}</option>
        </SelectField>
        {kind === 'date' ? (
          <TextField
            id={`${id}-day`}
            label={t('seller.zones.date')}
            type="date"
            required
            min={today}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        ) : (
          <SelectField
            id={`${id}-weekday`}
            label={t('seller.zones.weekday')}
            value={weekday}
            onChange={(event) => setWeekday(event.target.value)}
          >
            {WEEKDAYS.map((name, value) => (
              <option key={name} value={value}>
                {t(name)}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          id={`${id}-reason`}
          label={t('seller.zones.reason')}
          hint={t('seller.zones.reasonHint')}
          maxLength={120}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <TextField
          id={`${id}-reason-ne`}
          label={t('seller.zones.reasonNe')}
          maxLength={120}
          value={reasonNe}
          onChange={(event) => setReasonNe(event.target.value)}
        />
      </div>
      <SubmitButton busy={busy}>{t('seller.zones.closeDay')}</SubmitButton>
    </form>
  )
}
