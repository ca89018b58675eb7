import { WEEKDAYS } from '@/features/delivery/hours'
import type { WindowDraft } from '@/features/delivery/seller/zone-draft'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { TextField } from '@/ui/field'
import { BinIcon } from '@/ui/icons'

type WindowFieldsProps = {
  id: string
  index: number
  window: WindowDraft
  /** The error of one of its fields. */
  error: (field: string) => string | undefined
  onChange: (changes: Partial<WindowDraft>) => void
  onRemove: () => void
}

/** The weekdays, the hours, the cut-off and the capacity of a delivery window. */
export function WindowFields({ id, index, window, error, onChange, onRemove }: WindowFieldsProps) {
  const t = useT()
  const lang = useLang()
  const n = formatNumber(index + 1, lang)
  const weekdays = error('weekdays')
  const text = (field: 'starts' | 'ends' | 'cutoffHours' | 'capacity') => ({
    id: `${id}-${field}`,
    value: window[field],
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  })
  const toggle = (day: number) =>
    onChange({
      weekdays: WEEKDAYS.map((_, each) => each).filter(
        (each) => (each === day) !== window.weekdays.includes(each),
      ),
    })
  return (
    <fieldset className="zone-window" data-testid="zone-window">
      <legend>{t('seller.zones.window', { n })}</legend>
      <button
        type="button"
        className="icon-button zone-window-remove"
        aria-label={t('seller.zones.removeWindow', { n })}
        onClick={onRemove}
      >
        <BinIcon />
      </button>
      {weekdays ? <p className="field-error">{weekdays}</p> : null}
      <div className="zone-wards">
        {WEEKDAYS.map((name, day) => (
          <label key={name} className="zone-ward">
            <input type="checkbox" checked={window.weekdays.includes(day)} onChange={() => toggle(day)} />
            <span>{t(name)}</span>
          </label>
        ))}
      </div>
      <div className="field-row zone-pair">
        <TextField {...text('starts')} label={t('seller.zones.starts')} type="time" error={error('starts')} />
        <TextField {...text('ends')} label={t('seller.zones.ends')} type="time" error={error('ends')} />
        <TextField
          {...text('cutoffHours')}
          label={t('seller.zones.cutoff')}
          inputMode="decimal"
          error={error('cutoffMinutes')}
        />
        <TextField
          {...text('capacity')}
          label={t('seller.zones.capacity')}
          inputMode="numeric"
          error={error('capacity')}
        />
      </div>
    </fieldset>
  )
}
