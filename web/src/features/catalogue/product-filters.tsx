import '@/styles/filters.css'
import { useEffect, useId, useRef, useState } from 'react'
import type { ProductFilter } from '@/features/catalogue/api'
import { useLang, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { formatAmount, formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { Dialog } from '@/ui/dialog'
import { CloseIcon, Outline } from '@/ui/icons'

type FilterProps = {
  filter: ProductFilter
  /** The new filter is computed from the latest one: leaving a field and the press that leaves it both change it. */
  change: (next: (latest: ProductFilter) => ProductFilter) => void
}
/** What a shopper wants of price and stock. */
type Wanted = { minPrice?: number | undefined; maxPrice?: number | undefined; inStock?: true | undefined }

/** Ranges for one tap, because prices are slow to type on a phone. */
const RANGES: Wanted[] = [
  { maxPrice: 100 },
  { minPrice: 100, maxPrice: 300 },
  { minPrice: 300, maxPrice: 1000 },
  { minPrice: 1000 },
]

/** The filter with other wishes for price and stock; what is not wanted is left out of the address. */
function withWanted(filter: ProductFilter, wanted: Wanted): ProductFilter {
  const { minPrice: _min, maxPrice: _max, inStock: _stock, ...rest } = filter
  const { minPrice, maxPrice, inStock } = wanted
  // Two prices in the wrong order still say which range is meant.
  const swapped = minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice
  const [low, high] = swapped ? [maxPrice, minPrice] : [minPrice, maxPrice]
  return {
    ...rest,
    ...(low ? { minPrice: low } : {}),
    ...(high ? { maxPrice: high } : {}),
    ...(inStock ? { inStock } : {}),
  }
}

/** Whole rupees, or nothing. */
function readRupees(text: string): number | undefined {
  const digits = latinDigits(text).replace(/\D/g, '').slice(0, 7)
  return Number(digits) || undefined
}

function useRangeText() {
  const t = useT()
  const lang = useLang()
  return ({ minPrice, maxPrice }: Wanted) => {
    const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
    if (minPrice === undefined) return t('filters.upTo', { price: money(maxPrice ?? 0) })
    if (maxPrice === undefined) return t('filters.from', { price: money(minPrice) })
    return `${money(minPrice)}–${formatAmount(toPaisa(maxPrice), lang, 'auto')}`
  }
}

/** Price and stock: beside the list on wide screens; on phones a button that opens a sheet. */
export function ProductFilters(props: FilterProps) {
  const t = useT()
  const lang = useLang()
  const [open, setOpen] = useState(false)
  const { minPrice, maxPrice, inStock } = props.filter
  const active = Number(minPrice !== undefined || maxPrice !== undefined) + Number(inStock ?? 0)
  return (
    <>
      <section className="filter-panel" aria-label={t('filters.title')}>
        <Fields {...props} />
      </section>
      <button
        type="button"
        className="icon-button filter-button"
        aria-haspopup="dialog"
        aria-label={active > 0 ? t('filters.titleActive', { n: active }) : t('filters.title')}
        onClick={() => setOpen(true)}
      >
        <Outline size={22} d="M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5" />
        {active > 0 ? <span className="filter-count">{formatNumber(active, lang)}</span> : null}
      </button>
      {open ? <Sheet {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function Sheet({ onClose, ...props }: FilterProps & { onClose: () => void }) {
  const t = useT()
  const rangeText = useRangeText()
  const { filter, change } = props
  return (
    <Dialog id="filters" variant="bottom" title={t('filters.title')} onClose={onClose}>
      <ul className="filter-ranges">
        {RANGES.map((range) => {
          const chosen = filter.minPrice === range.minPrice && filter.maxPrice === range.maxPrice
          return (
            <li key={rangeText(range)}>
              <button
                type="button"
                className="chip"
                aria-pressed={chosen}
                onClick={() =>
                  change((latest) =>
                    withWanted(latest, { inStock: latest.inStock, ...(chosen ? {} : range) }),
                  )
                }
              >
                {rangeText(range)}
              </button>
            </li>
          )
        })}
      </ul>
      <Fields {...props} />
      <div className="filter-actions">
        <button
          type="button"
          className="button button-outline"
          onClick={() => {
            change((latest) => withWanted(latest, {}))
            onClose()
          }}
        >
          {t('filters.clear')}
        </button>
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('filters.show')}
        </button>
      </div>
    </Dialog>
  )
}

function Fields({ filter, change }: FilterProps) {
  const t = useT()
  const price = (name: 'minPrice' | 'maxPrice') => (
    <PriceField
      label={t(`filters.${name}`)}
      hint={t(name === 'minPrice' ? 'filters.min' : 'filters.max')}
      value={filter[name]}
      change={(value) => change((latest) => withWanted(latest, { ...latest, [name]: value }))}
    />
  )
  return (
    <div className="filter-fields">
      <fieldset>
        <legend>{t('filters.price')}</legend>
        <div className="filter-prices">
          {price('minPrice')}
          {price('maxPrice')}
        </div>
      </fieldset>
      <label className="filter-check">
        <input
          type="checkbox"
          checked={filter.inStock ?? false}
          onChange={(event) =>
            change((latest) => withWanted(latest, { ...latest, inStock: event.target.checked || undefined }))
          }
        />
        {t('filters.inStock')}
      </label>
    </div>
  )
}

type PriceFieldProps = {
  label: string
  hint: string
  value: number | undefined
  change: (rupees: number | undefined) => void
}

/** Applies the price when the shopper presses Enter or leaves the field: a half-typed price is none. */
function PriceField({ label, hint, value, change }: PriceFieldProps) {
  const id = useId()
  const [text, setText] = useState('')
  useEffect(() => setText(String(value ?? '')), [value])
  const apply = () => {
    const rupees = readRupees(text)
    setText(String(rupees ?? ''))
    if (rupees !== value) change(rupees)
  }
  return (
    <div>
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        type="text"
        inputMode="numeric"
        enterKeyHint="done"
        autoComplete="off"
        placeholder={hint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply()
        }}
      />
    </div>
  )
}

/** What the list is limited to; a press removes one limit. */
export function ActiveFilters({ filter, change }: FilterProps) {
  const t = useT()
  const rangeText = useRangeText()
  const list = useRef<HTMLUListElement>(null)
  const { minPrice, maxPrice, inStock } = filter
  const limits = [
    ...(minPrice === undefined && maxPrice === undefined
      ? []
      : [{ key: 'price', name: rangeText(filter), without: { inStock } }]),
    ...(inStock ? [{ key: 'stock', name: t('filters.inStock'), without: { minPrice, maxPrice } }] : []),
  ]
  return (
    <ul ref={list} className="filter-chips" aria-label={t('filters.active')}>
      {limits.map(({ key, name, without }) => (
        <li key={key}>
          <button
            type="button"
            className="chip"
            aria-label={t('filters.remove', { name })}
            onClick={() => {
              // The pressed button disappears, and the focus must not be lost with it.
              const other = [...(list.current?.querySelectorAll('button') ?? [])].find(
                (button) => button !== document.activeElement,
              )
              const next = other ?? document.getElementById('main')
              change((latest) => withWanted(latest, without))
              next?.focus({ preventScroll: true })
            }}
          >
            {name}
            <CloseIcon size={16} />
          </button>
        </li>
      ))}
    </ul>
  )
}
