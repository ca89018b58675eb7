import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { coalesce } from '@/lib/coalesce'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first call is done at once, all that follow soon after become one', async () => {
  let done = 0
  const [call] = coalesce(async () => done++, 1_000)
  call()
  expect(done).toBe(1)
  call()
  call()
  await vi.advanceTimersByTimeAsync(900)
  expect(done).toBe(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(done).toBe(2)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(done).toBe(2)
  call()
  expect(done).toBe(3)
})

test('slow work is not begun a second time before it is done, whether well or badly', async () => {
  const endings: ((error: Error) => void)[] = []
  const [call] = coalesce(() => new Promise((_, fail) => endings.push(fail)), 1_000)
  call()
  call()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(endings).toHaveLength(1)
  endings[0]?.(new Error('x'))
  await vi.advanceTimersByTimeAsync(0)
  expect(endings).toHaveLength(2)
})

test('once stopped, nothing is done any more', async () => {
  let done = 0
  const [call, stop] = coalesce(async () => done++, 1_000)
  call()
  call()
  stop()
  await vi.advanceTimersByTimeAsync(5_000)
  call()
  expect(done).toBe(1)
})
