import { expect, test } from 'vitest'
import { lastDays, rangeProblem } from '@/features/reports/date-range'

// It is evening in London and already the next day in Nepal.
const NOW = Date.parse('2026-11-14T18:15:00Z')

test('the last days end today, as it is in Nepal', () => {
  expect(lastDays(7, NOW)).toEqual({ from: '2026-11-09', to: '2026-11-15' })
  expect(lastDays(1, NOW)).toEqual({ from: '2026-11-15', to: '2026-11-15' })
  expect(lastDays(30, NOW).from).toBe('2026-10-17')
})

test.each([
  ['2026-11-09', '2026-11-15', null],
  ['2026-11-15', '2026-11-15', null],
  ['2026-08-16', '2026-11-15', null],
  ['2026-08-15', '2026-11-15', 'long'],
  ['2026-11-16', '2026-11-15', 'backwards'],
  ['', '2026-11-15', 'missing'],
  ['2026-11-15', '', 'missing'],
])('%s to %s: %s', (from, to, problem) => {
  expect(rangeProblem({ from, to })).toBe(problem)
})
