import type { DateRange } from '@/features/reports/money-api'
import { dayInNepal } from '@/lib/day-in-nepal'

const DAY_MS = 24 * 60 * 60 * 1000
/** The server's limit for the money report. */
const MAX_DAYS = 92

/** The last `days` days in Nepal, including today. */
export function lastDays(days: number, now = Date.now()): DateRange {
  return { from: dayInNepal(now - (days - 1) * DAY_MS), to: dayInNepal(now) }
}

/** Returns the problem with the range, if any. */
export function rangeProblem(
  { from, to }: DateRange,
  maxDays = MAX_DAYS,
): 'missing' | 'backwards' | 'long' | null {
  if (!from || !to) return 'missing'
  if (from > to) return 'backwards'
  return (Date.parse(to) - Date.parse(from)) / DAY_MS >= maxDays ? 'long' : null
}
