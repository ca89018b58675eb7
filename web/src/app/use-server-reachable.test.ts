import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useServerReachable } from '@/app/use-server-reachable'
import { NETWORK_FAILED } from '@/lib/offline-cache'

const AN_HOUR = 3_600_000
const workers = new EventTarget()
let answer: (there: boolean) => void
let requests: ReturnType<typeof vi.fn>

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: workers })
  requests = vi.fn(
    () =>
      new Promise((come, fail) => {
        answer = (there) => (there ? come({}) : fail(new TypeError('no line')))
      }),
  )
  vi.stubGlobal('fetch', requests)
})
afterEach(() => {
  vi.useRealTimers()
})

const nothingComes = () => workers.dispatchEvent(new MessageEvent('message', { data: NETWORK_FAILED }))
const answered = (there: boolean) => act(async () => answer(there))
const anHourLater = () => act(() => vi.advanceTimersByTimeAsync(AN_HOUR))

test('when nothing comes, the shop is asked once more, and then until it answers', async () => {
  const { result } = renderHook(useServerReachable)
  nothingComes()
  nothingComes()
  expect(requests).toHaveBeenCalledTimes(1)
  expect(result.current).toBe(true)
  await answered(false)
  expect(result.current).toBe(false)
  await anHourLater()
  expect(requests).toHaveBeenCalledTimes(2)
  await answered(true)
  expect(result.current).toBe(true)
  await anHourLater()
  expect(requests).toHaveBeenCalledTimes(2)
})

test.each(['while it asks', 'before it asks again'])(
  'once its screen has gone, %s, the shop is asked no more',
  async (when) => {
    const { unmount } = renderHook(useServerReachable)
    nothingComes()
    if (when === 'before it asks again') await answered(false)
    unmount()
    await answered(false)
    await anHourLater()
    nothingComes()
    expect(requests).toHaveBeenCalledTimes(1)
  },
)
