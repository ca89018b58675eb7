import { act } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'

/**
 * From here to the test's end time passes by `pass` alone, but for a thousandth of a second whenever nothing else is to be done,
 * which React and the libraries wait for. So a pause does not end between two presses, however slow the machine.
 */
export function holdTime() {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1 })
  onTestFinished(() => void vi.useRealTimers())
}

export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
