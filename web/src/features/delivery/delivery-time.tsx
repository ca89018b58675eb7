import '@/styles/delivery-time.css'
import { Link } from '@tanstack/react-router'
import { type DeliveryOptions, type Slot, zoneNames } from '@/features/delivery/api'
import { formatHours, WEEKDAYS, weekdayOf } from '@/features/delivery/hours'
import { formatDate } from '@/lib/dates'
import type { Lang } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'

/** Fewer free places than this are shown. */
const FEW = 6

/** A day without its year, which is the next one anyway: 18 Nov; २ मंसिर. */
const shortDate = (day: string, lang: Lang) => formatDate(day, lang).split(' ').slice(0, 2).join(' ')

type DeliveryTimeProps = {
  options: DeliveryOptions
  slot: Slot | null
  /** The id of the address, for the link to its form. */
  addressId: string | undefined
  onChoose: (slot: Slot) => void
}

/** The choice of day and window at checkout, or why nothing can be delivered to the address. */
export function DeliveryTime({ options, slot, addressId, onChoose }: DeliveryTimeProps) {
  const t = useT()
  const lang = useLang()
  if (options.coverage === 'everywhere') return null
  const closed = options.closedToday && localText(options.closedToday, 'reason', lang)
  return (
    <section className="box delivery-time" aria-labelledby="delivery-time" id="delivery-choice">
      <h2 id="delivery-time" tabIndex={-1}>
        {t('delivery.time')}
      </h2>
      {options.closedToday ? (
        <p className="muted" data-testid="closed-today">
          {closed ? t('delivery.closedTodayFor', { reason: closed }) : t('delivery.closedToday')}
        </p>
      ) : null}
      {options.coverage === 'outside' ? (
        <p role="status">{t('delivery.outside', { places: zoneNames(options, lang) })}</p>
      ) : options.coverage === 'incomplete' ? (
        <p role="status">
          {t('delivery.incomplete')}{' '}
          <Link className="link" to={paths.profile} state={{ editAddress: addressId ?? '' }}>
            {t('cart.editAddress')}
          </Link>
        </p>
      ) : options.hasWindows ? (
        options.days.length > 0 ? (
          <SlotChoice options={options} slot={slot} onChoose={onChoose} />
        ) : (
          <p role="status">{t('delivery.allFull')}</p>
        )
      ) : (
        <p>{formatDate(options.deliveryDate, lang)}</p>
      )}
    </section>
  )
}

function SlotChoice({ options, slot, onChoose }: Pick<DeliveryTimeProps, 'options' | 'slot' | 'onChoose'>) {
  const t = useT()
  const lang = useLang()
  const day = options.days.find((each) => each.day === slot?.day)
  return (
    <>
      <fieldset className="slot-days">
        <legend className="sr-only">{t('delivery.day')}</legend>
        {options.days.map((each) => {
          const first = each.windows.find(({ left }) => left > 0)
          return (
            <label key={each.day} className="slot">
              <input
                type="radio"
                name="delivery-day"
                checked={each.day === slot?.day}
                onChange={() => first && onChoose({ day: each.day, window: first.id })}
              />
              <span>
                <strong>{t(WEEKDAYS[weekdayOf(each.day)] ?? 'weekday.sun')}</strong>
                {shortDate(each.day, lang)}
              </span>
            </label>
          )
        })}
      </fieldset>
      <fieldset className="slot-windows">
        <legend className="sr-only">{t('delivery.window')}</legend>
        {day?.windows.map((window) => (
          <label key={window.id} className="slot">
            <input
              type="radio"
              name="delivery-window"
              checked={window.id === slot?.window}
              disabled={window.left === 0}
              onChange={() => onChoose({ day: day.day, window: window.id })}
            />
            <span>
              <strong>{formatHours(window, lang)}</strong>
              {window.left === 0
                ? t('delivery.full')
                : window.left < FEW
                  ? t('delivery.left', { n: window.left, count: formatNumber(window.left, lang) })
                  : null}
            </span>
          </label>
        ))}
      </fieldset>
    </>
  )
}
