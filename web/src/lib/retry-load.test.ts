import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoadError, retryLoad } from '@/lib/retry-load'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failing = (times: number) => {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= times) throw new TypeError('Failed to fetch dynamically imported module')
    return 'the page'
  })
  return load
}

test('a file that comes is asked for once', async () => {
  const load = failing(0)
  expect(await retryLoad(load)).toBe('the page')
  expect(load).toHaveBeenCalledTimes(1)
})

test('a file that does not come is asked for again', async () => {
  const load = failing(2)
  const loaded = retryLoad(load)
  await vi.runAllTimersAsync()
  expect(await loaded).toBe('the page')
  expect(load).toHaveBeenCalledTimes(3)
})

test('a file that never comes fails in a way that no router reloads the page for', async () => {
  const load = failing(9)
  const loaded = expect(retryLoad(load)).rejects.toThrow(LoadError)
  await vi.runAllTimersAsync()
  await loaded
  expect(load).toHaveBeenCalledTimes(3)
})
