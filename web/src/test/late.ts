import { afterEach, vi } from 'vitest'

/**
 * Loaded only by `LATE_MS=… npm test`: each answer of the server and each part of the app that is fetched when it is needed comes so
 * late, as on a machine whose processor is given to others. A test that passes so waits for what it looks at.
 */
const LATE_MS = Number(process.env.LATE_MS)
const { setTimeout: realTimeout } = globalThis
let onTheirWay: Promise<unknown>[] = []

globalThis.late = () => {
  // Where time passes by the test's hand alone, nothing is late.
  const here = vi.isFakeTimers() ? Promise.resolve() : new Promise((resolve) => realTimeout(resolve, LATE_MS))
  onTheirWay.push(here)
  return here
}

afterEach(async () => {
  await Promise.all(onTheirWay)
  onTheirWay = []
})
