import calendar from '@data/bikram-sambat.json'
import { setNepaliDateFormat } from '@/lib/dates'
import { dayInNepal } from '@/lib/day-in-nepal'
import { localDigits } from '@/lib/money'

const GREGORIAN = 'जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर'.split(' ')
const DAY_MS = 24 * 60 * 60 * 1000

/** Converts a Gregorian day (2026-11-15) to Bikram Sambat; undefined for a year that is not in the table. */
export function bikramSambat(day: string): { year: number; month: number; day: number } | undefined {
  let left = Math.round((Date.parse(day) - Date.parse(calendar.firstDay)) / DAY_MS)
  if (left < 0) return undefined
  for (const [year, months] of calendar.years.entries()) {
    for (const [month, length] of months.entries()) {
      if (left < length) return { year: calendar.firstYear + year, month: month + 1, day: left + 1 }
      left -= length
    }
  }
  return undefined
}

function formatNepali(date: Date): string {
  const iso = dayInNepal(date.getTime())
  const [year, month, day] = iso.split('-').map(Number)
  // The month names are ours, because few browsers have Nepali ones.
  const gregorian = `${day} ${GREGORIAN[(month ?? 0) - 1]} ${year}`
  const own = bikramSambat(iso)
  const text = own ? `${own.day} ${calendar.months[own.month - 1]} ${own.year} (${gregorian})` : gregorian
  return localDigits(text, 'ne')
}

setNepaliDateFormat(formatNepali)
