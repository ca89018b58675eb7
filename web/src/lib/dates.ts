import type { Lang } from '@/lib/first-data'
import { localDigits } from '@/lib/money'

const MONTHS = 'जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर'.split(' ')

// Named, so that a shopper abroad and one at home read the same day.
const inNepal = { timeZone: 'Asia/Kathmandu' } as const
const english = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...inNepal })
const numbers = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'numeric',
  year: 'numeric',
  ...inNepal,
})

/** A day of our calendar, as it is in Nepal: 15 Nov 2026, १५ नोभेम्बर २०२६. */
export function formatDate(iso: string, lang: Lang): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  if (lang === 'en') return english.format(date)
  // Own month names: browsers seldom carry Nepali ones.
  const part = (type: string) => numbers.formatToParts(date).find((each) => each.type === type)?.value ?? ''
  return localDigits(`${Number(part('day'))} ${MONTHS[Number(part('month')) - 1]} ${part('year')}`, lang)
}
