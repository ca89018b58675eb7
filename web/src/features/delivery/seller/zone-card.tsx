import { usePlaces } from '@/features/addresses/use-places'
import { formatHours, WEEKDAYS } from '@/features/delivery/hours'
import type { Zone } from '@/features/delivery/seller/rules-api'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, localDigits, toPaisa } from '@/lib/money'

type ZoneCardProps = { zone: Zone; onEdit: () => void; onDelete: () => void }

/** What a zone costs, where it is and when it is delivered to. */
export function ZoneCard({ zone, onEdit, onDelete }: ZoneCardProps) {
  const t = useT()
  const lang = useLang()
  const places = usePlaces()
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'always')
  const name = localText(zone, 'name', lang)
  const facts = [
    t('seller.zones.feeFact', { fee: money(zone.fee) }),
    ...(zone.freeAbove === null ? [] : [t('seller.zones.freeFact', { amount: money(zone.freeAbove) })]),
    ...(zone.minimum > 0 ? [t('seller.zones.minimumFact', { amount: money(zone.minimum) })] : []),
  ]
  const daysOf = (weekdays: number[]) =>
    weekdays.length === WEEKDAYS.length
      ? t('seller.zones.everyDay')
      : weekdays.map((day) => t(WEEKDAYS[day] ?? 'weekday.sun')).join(', ')
  return (
    <article className="box zone-card" data-testid="zone">
      <h2 lang={scriptLang(name, lang)}>
        <span translate="no">{name}</span>
        {zone.isActive ? null : <span className="badge">{t('seller.zones.inactive')}</span>}
      </h2>
      <p>{facts.join(' · ')}</p>
      <ul>
        {zone.areas.map(({ district, municipality, wards }) => {
          const city = places?.findLocalLevel(district, municipality)
          return (
            <li key={`${district} ${municipality}`}>
              {city?.level[lang] ?? municipality}:{' '}
              {wards
                ? t('seller.zones.wards', { list: wards.map((ward) => formatNumber(ward, lang)).join(', ') })
                : t('seller.zones.allWards', { n: city ? formatNumber(city.level.wards, lang) : '' })}
            </li>
          )
        })}
      </ul>
      <ul>
        {zone.windows.map((window) => (
          <li key={window._id}>
            {t('seller.zones.windowFact', {
              days: daysOf(window.weekdays),
              hours: formatHours(window, lang),
              n: formatNumber(window.capacity, lang),
              cutoff: localDigits(String(window.cutoffMinutes / 60), lang),
            })}
          </li>
        ))}
      </ul>
      <div className="button-row">
        <button type="button" className="button button-plain-danger" onClick={onDelete}>
          {t('seller.zones.delete')}
        </button>
        <button
          type="button"
          className="button button-outline"
          aria-label={t('seller.zones.edit', { name })}
          onClick={onEdit}
        >
          {t('seller.zones.editShort')}
        </button>
      </div>
    </article>
  )
}
