import { act } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'

/**
 * From here to the end of the test only `pass` advances the time, except for a millisecond whenever nothing else is
 * pending, which React and the libraries wait for. A delay therefore never ends between two presses, however slow the
 * machine is.
 */
export function holdTime() {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1 })
  onTestFinished(() => void vi.useRealTimers())
}

export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
