import type { Lang } from '@/lib/first-data'

// The time zone is explicit, so that shoppers abroad and in Nepal see the same day.
const english = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Asia/Kathmandu' })

type Format = (date: Date) => string
const formats: { en: Format; ne?: Format } = { en: english.format }

/** Nepal's calendar is loaded with the Nepali messages (lib/dates-nepali.ts); other readers do not need it. */
export const setNepaliDateFormat = (format: Format) => {
  formats.ne = format
}

/** Formats a day in Nepal: 15 Nov 2026; २९ कात्तिक २०८३ (१५ नोभेम्बर २०२६). */
export function formatDate(iso: string, lang: Lang): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : (formats[lang] ?? formats.en)(date)
}
