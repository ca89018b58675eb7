import type { Lang } from '@/lib/first-data'
import type { MessageId } from '@/lib/i18n'
import { localDigits } from '@/lib/money'

/** The hours of a window: 07:00–09:00; ०७:००–०९:००. */
export const formatHours = ({ starts, ends }: { starts: string; ends: string }, lang: Lang) =>
  localDigits(`${starts}–${ends}`, lang)

/** The short names of the weekdays; 0 is Sunday. */
export const WEEKDAYS = [
  'weekday.sun',
  'weekday.mon',
  'weekday.tue',
  'weekday.wed',
  'weekday.thu',
  'weekday.fri',
  'weekday.sat',
] as const satisfies MessageId[]

/** The weekday of a day such as 2026-11-18; 0 is Sunday. */
export const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()
