import type { Lang } from '@/lib/first-data'

/** Money is counted in whole paisa; rupees with decimals exist only in the API and on the screen. */
export type Paisa = number

export function toPaisa(rupees: number): Paisa {
  return Math.round(rupees * 100)
}

const DEVANAGARI_ZERO = 0x966

// Lakh grouping starts at 10 000, so that everyday sums look like Nepali price tags: 1130.00, but 12,347.75.
const formats = new Map<number, Intl.NumberFormat>()
function format(value: number, decimals: number): string {
  let known = formats.get(decimals)
  if (!known) {
    known = new Intl.NumberFormat('en-IN', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: 'min2',
    })
    formats.set(decimals, known)
  }
  return known.format(value)
}

/** Our own digit mapping: some Android WebViews ship without Nepali number data. */
export function localDigits(text: string, lang: Lang): string {
  if (lang === 'en') return text
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(DEVANAGARI_ZERO + Number(digit)))
}

export function formatNumber(value: number, lang: Lang, decimals = 0): string {
  return localDigits(format(value, decimals), lang)
}

/** `auto` is for price tags (decimals only when there are paisa), `always` for bills, where columns must line up. */
export function formatAmount(paisa: Paisa, lang: Lang, decimals: 'auto' | 'always'): string {
  const digits = decimals === 'always' || paisa % 100 !== 0 ? 2 : 0
  return formatNumber(paisa / 100, lang, digits)
}

const LABEL = { en: 'Rs.', ne: 'रु.' } satisfies Record<Lang, string>

export function formatMoney(paisa: Paisa, lang: Lang, decimals: 'auto' | 'always'): string {
  return `${LABEL[lang]} ${formatAmount(paisa, lang, decimals)}`
}

/** Formats a percentage: 13, 12.5. */
export function formatRate(percent: number, lang: Lang): string {
  return localDigits(String(percent), lang)
}
