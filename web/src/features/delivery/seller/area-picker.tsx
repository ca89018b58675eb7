import { useId, useState } from 'react'
import type { City } from '@/features/addresses/places'
import { usePlaces } from '@/features/addresses/use-places'
import type { ZoneArea } from '@/features/delivery/seller/rules-api'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { BinIcon, PlusIcon } from '@/ui/icons'

type AreaPickerProps = {
  id: string
  areas: ZoneArea[]
  error: string | undefined
  onChange: (areas: ZoneArea[]) => void
}

const isSame = (one: ZoneArea, other: ZoneArea) =>
  one.district === other.district && one.municipality === other.municipality

/** Municipalities of the official list, each with all its wards or some of them. */
export function AreaPicker({ id, areas, error, onChange }: AreaPickerProps) {
  const t = useT()
  const lang = useLang()
  const places = usePlaces()
  const hint = useId()
  const [text, setText] = useState('')
  const toArea = ({ district, level }: City): ZoneArea => ({
    district: district.en,
    municipality: level.en,
    wards: null,
  })
  const found = places
    ?.searchCities(text, lang)
    .filter((city) => !areas.some((area) => isSame(area, toArea(city))))
  const replace = (area: ZoneArea, next: ZoneArea[]) =>
    onChange(areas.flatMap((each) => (isSame(each, area) ? next : [each])))
  return (
    <fieldset className="zone-areas">
      <legend>{t('seller.zones.areas')}</legend>
      {error ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
      {areas.map((area) => (
        <AreaWards
          key={`${area.district} ${area.municipality}`}
          area={area}
          city={places?.findLocalLevel(area.district, area.municipality)}
          onChange={(next) => replace(area, next ? [next] : [])}
        />
      ))}
      <div className="field">
        <label htmlFor={id}>{t('seller.zones.searchArea')}</label>
        <p id={hint} className="field-hint">
          {t('seller.zones.searchAreaHint')}
        </p>
        <input
          id={id}
          className="input"
          autoComplete="off"
          aria-describedby={hint}
          aria-invalid={error ? true : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // The form must not be sent while the seller searches.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </div>
      {found && found.length > 0 ? (
        <ul className="zone-found">
          {found.map((city) => (
            <li key={`${city.district.en} ${city.level.en}`}>
              <button
                type="button"
                className="button button-outline"
                onClick={() => {
                  onChange([...areas, toArea(city)])
                  setText('')
                }}
              >
                <PlusIcon />
                {t('seller.zones.inDistrict', {
                  place: city.level[lang],
                  district: city.district[lang],
                })}
                <span className="sr-only">{t('seller.zones.addArea', { place: city.level[lang] })}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <span className="sr-only" role="status">
        {found ? formatNumber(found.length, lang) : ''}
      </span>
    </fieldset>
  )
}

type AreaWardsProps = { area: ZoneArea; city: City | undefined; onChange: (area: ZoneArea | null) => void }

function AreaWards({ area, city, onChange }: AreaWardsProps) {
  const t = useT()
  const lang = useLang()
  const name = city?.level[lang] ?? area.municipality
  const all = Array.from({ length: city?.level.wards ?? 0 }, (_, index) => index + 1)
  const chosen = area.wards ?? all
  const toggle = (ward: number) => {
    const wards = all.filter((each) => (each === ward) !== chosen.includes(each))
    onChange({ ...area, wards: wards.length === all.length ? null : wards })
  }
  return (
    <fieldset className="zone-area" data-testid="zone-area">
      <legend>{name}</legend>
      <div className="zone-area-head">
        <label className="settings-check">
          <input
            type="checkbox"
            checked={area.wards === null}
            onChange={() => onChange({ ...area, wards: area.wards === null ? [] : null })}
          />
          {t('seller.zones.allWards', { n: formatNumber(all.length, lang) })}
        </label>
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.zones.removeArea', { place: name })}
          onClick={() => onChange(null)}
        >
          <BinIcon />
        </button>
      </div>
      {area.wards === null ? null : (
        <div className="zone-wards">
          {all.map((ward) => (
            <label key={ward} className="zone-ward">
              <input type="checkbox" checked={chosen.includes(ward)} onChange={() => toggle(ward)} />
              <span>
                <span className="sr-only">{t('seller.zones.ward', { n: formatNumber(ward, lang) })}</span>
                <span aria-hidden="true">{formatNumber(ward, lang)}</span>
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
