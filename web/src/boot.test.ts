import { expect, test, vi } from 'vitest'

const started = vi.hoisted(() => vi.fn())
vi.mock('@/main.tsx', () => {
  started()
  return {}
})

/** A PerformanceObserver that reports a paint when the test calls `report`. */
const paint: { options?: PerformanceObserverInit; report: () => void } = { report: () => {} }
class Painting {
  constructor(report: () => void) {
    paint.report = report
  }
  observe(options: PerformanceObserverInit) {
    paint.options = options
  }
}

test('the app is asked for after any first paint, also one of plain boxes, and not before', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('PerformanceObserver', Painting)

  await import('./boot.ts')
  await vi.advanceTimersByTimeAsync(2000)

  expect(started).not.toHaveBeenCalled()
  expect(paint.options).toEqual({ type: 'paint', buffered: true })
  paint.report()
  await vi.advanceTimersByTimeAsync(0)
  vi.useRealTimers()
  await vi.waitFor(() => expect(started).toHaveBeenCalledOnce(), { timeout: 60_000 })
})
