import type { DateRange } from '@/features/orders/seller/money-api'
import { dayInNepal } from '@/lib/day-in-nepal'

const DAY_MS = 24 * 60 * 60 * 1000
/** The server counts no more days at once. */
const MAX_DAYS = 92

/** The last `days` days as they are in Nepal, today among them. */
export function lastDays(days: number, now = Date.now()): DateRange {
  return { from: dayInNepal(now - (days - 1) * DAY_MS), to: dayInNepal(now) }
}

/** What is wrong with it, if anything. */
export function rangeProblem({ from, to }: DateRange): 'missing' | 'backwards' | 'long' | null {
  if (!from || !to) return 'missing'
  if (from > to) return 'backwards'
  return (Date.parse(to) - Date.parse(from)) / DAY_MS >= MAX_DAYS ? 'long' : null
}
