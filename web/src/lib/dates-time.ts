import { formatDate } from '@/lib/dates'
import type { Lang } from '@/lib/first-data'
import { localDigits } from '@/lib/money'

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Asia/Kathmandu',
})

/** The time of day in Nepal: 14:05. */
export function formatTime(iso: string, lang: Lang): string {
  return localDigits(clock.format(new Date(iso)), lang)
}

/** The day and the time of day: 15 Nov 2026, 14:05. */
export function formatDateTime(iso: string, lang: Lang): string {
  const day = formatDate(iso, lang)
  return day && `${day}, ${formatTime(iso, lang)}`
}
