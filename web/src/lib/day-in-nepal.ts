/** Nepal is five hours and three quarters ahead, all year round. */
const AHEAD_MS = 345 * 60_000

/** The day that a moment belongs to in Nepal: 2026-11-15. By hand, because no language's format is promised to be this one. */
export const dayInNepal = (moment: number) => new Date(moment + AHEAD_MS).toISOString().slice(0, 10)
