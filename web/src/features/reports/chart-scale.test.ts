import { expect, test } from 'vitest'
import { roundUpScale } from '@/features/reports/chart-scale'

test.each([
  [0, 1],
  [1, 1],
  [3, 3],
  [7, 8],
  [12, 20],
  [24, 30],
  [51, 60],
  [1_000, 1_000],
  [12_347.75, 20_000],
  [0.4, 0.4],
  [9, 10],
])('the scale of %d ends at %d', (most, top) => {
  expect(roundUpScale(most)).toBe(top)
})
