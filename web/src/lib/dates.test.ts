import { expect, test } from 'vitest'
import { formatDate } from '@/lib/dates'

test('a moment is dated by the day it was in Nepal, wherever the reader is', () => {
  expect(formatDate('2026-11-14T18:14:59Z', 'en')).toBe('14 Nov 2026')
  expect(formatDate('2026-11-14T18:15:00Z', 'en')).toBe('15 Nov 2026')
  expect(formatDate('2026-11-14T18:15:00Z', 'ne')).toBe('१५ नोभेम्बर २०२६')
})

test('no date is no text', () => {
  expect(formatDate('', 'en')).toBe('')
})
