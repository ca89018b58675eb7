import calendar from '@data/bikram-sambat.json'
import NepaliDate from 'nepali-date-converter'
import { describe, expect, test } from 'vitest'
import { formatDate } from '@/lib/dates'
import { bikramSambat } from '@/lib/dates-nepali'
import { formatDateTime } from '@/lib/dates-time'

test('a moment is dated by the day it was in Nepal, wherever the reader is', () => {
  expect(formatDate('2026-11-14T18:14:59Z', 'en')).toBe('14 Nov 2026')
  expect(formatDate('2026-11-14T18:15:00Z', 'en')).toBe('15 Nov 2026')
  expect(formatDate('2026-11-14T18:14:59Z', 'ne')).toBe('२८ कात्तिक २०८३ (१४ नोभेम्बर २०२६)')
  expect(formatDate('2026-11-14T18:15:00Z', 'ne')).toBe('२९ कात्तिक २०८३ (१५ नोभेम्बर २०२६)')
})

test('a day without a time of day is that day', () => {
  expect(formatDate('2026-11-17', 'en')).toBe('17 Nov 2026')
  expect(formatDate('2026-11-17', 'ne')).toBe('१ मंसिर २०८३ (१७ नोभेम्बर २०२६)')
})

test('the time of day follows the date, in the reader’s digits', () => {
  expect(formatDateTime('2026-11-15T08:20:00Z', 'en')).toBe('15 Nov 2026, 14:05')
  expect(formatDateTime('2026-11-15T08:20:00Z', 'ne')).toBe('२९ कात्तिक २०८३ (१५ नोभेम्बर २०२६), १४:०५')
})

test('no date is no text', () => {
  expect(formatDate('', 'en')).toBe('')
  expect(formatDate('', 'ne')).toBe('')
})

describe('Bikram Sambat', () => {
  test.each([
    ['2024-04-13', 2081, 1, 1],
    ['2025-04-14', 2082, 1, 1],
    ['2026-11-15', 2083, 7, 29],
    ['2026-11-17', 2083, 8, 1],
  ])('%s is %d-%d-%d, as the printed calendar says', (iso, year, month, day) => {
    expect(bikramSambat(iso)).toEqual({ year, month, day })
  })

  test('every day of the table is the day that another converter finds', () => {
    const end = Date.parse(calendar.firstDay) + 86_400_000 * calendar.years.flat().reduce((a, b) => a + b)
    let days = 0
    for (let at = Date.parse(calendar.firstDay); at < end; at += 86_400_000) {
      const iso = new Date(at).toISOString().slice(0, 10)
      const [year = 0, month = 0, day = 0] = iso.split('-').map(Number)
      const other = new NepaliDate(new Date(year, month - 1, day))
      expect(bikramSambat(iso), iso).toEqual({
        year: other.getYear(),
        month: other.getMonth() + 1,
        day: other.getDate(),
      })
      days += 1
    }
    expect(days).toBe(2191)
  })

  test('a year that is not in the table is shown in the Gregorian calendar alone', () => {
    expect(formatDate('2027-04-13', 'ne')).toBe('३० चैत २०८३ (१३ अप्रिल २०२७)')
    expect(formatDate('2027-04-14', 'ne')).toBe('१४ अप्रिल २०२७')
    expect(formatDate('2021-04-13', 'ne')).toBe('१३ अप्रिल २०२१')
  })
})
