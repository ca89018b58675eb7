import { afterEach, vi } from 'vitest'

/**
 * Loaded only by `LATE_MS=… npm test`: each response of the server and each lazily loaded part of the app arrives this
 * late, as on a busy machine. A test that passes waits properly for what it checks.
 */
const LATE_MS = Number(process.env.LATE_MS)
const { setTimeout: realTimeout } = globalThis
let onTheirWay: Promise<unknown>[] = []

globalThis.late = () => {
  // With fake timers nothing is delayed.
  const here = vi.isFakeTimers() ? Promise.resolve() : new Promise((resolve) => realTimeout(resolve, LATE_MS))
  onTheirWay.push(here)
  return here
}

afterEach(async () => {
  await Promise.all(onTheirWay)
  onTheirWay = []
})
