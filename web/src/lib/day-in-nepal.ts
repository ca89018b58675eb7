/** Nepal is UTC+5:45 all year round. */
const AHEAD_MS = 345 * 60_000

/** The day in Nepal of a point in time: 2026-11-15. Computed by hand, because no locale guarantees this format. */
export const dayInNepal = (moment: number) => new Date(moment + AHEAD_MS).toISOString().slice(0, 10)
