import { expect, test } from 'vitest'
import {
  type Draft,
  isDearer,
  isDone,
  loadDraft,
  scanLine,
  storeDraft,
  toggleLine,
  toReport,
} from '@/features/packing/seller/packing-draft'

const rice = { product: 'rice', quantity: 2, barcode: '4006381333931' }
const oil = { product: 'oil', quantity: 1, barcode: null }
const lines = [rice, oil]

test('a tap packs the whole line, and another tap takes it back', () => {
  const ticked = toggleLine(rice, {})
  expect(ticked).toEqual({ rice: { packed: 2 } })
  expect(isDone(rice, ticked)).toBe(true)
  expect(toggleLine(rice, ticked)).toEqual({})
})

test('every scan packs one unit until the line is complete', () => {
  const once = scanLine(lines, {}, '4006381333931') as Draft
  expect(once).toEqual({ rice: { packed: 1 } })
  expect(isDone(rice, once)).toBe(false)
  const twice = scanLine(lines, once, '4006381333931') as Draft
  expect(isDone(rice, twice)).toBe(true)
  expect(scanLine(lines, twice, '4006381333931')).toBeNull()
  expect(scanLine(lines, {}, '96385074')).toBeNull()
})

test('the report says of every line what was packed, why not and what instead', () => {
  const draft: Draft = {
    rice: {
      packed: 1,
      reason: 'damaged',
      replacement: { product: 'basmati', name: 'Basmati', nameNe: null, price: 600, quantity: 1 },
    },
    oil: { packed: 1 },
  }
  expect(toReport('order', lines, draft)).toEqual({
    orderId: 'order',
    lines: [
      {
        product: 'rice',
        packed: 1,
        reason: 'damaged',
        replacement: { product: 'basmati', quantity: 1 },
      },
      { product: 'oil', packed: 1 },
    ],
  })
})

test('a replacement is dearer if it costs more than what it replaces', () => {
  const line = { ...rice, price: 500 } as never
  const instead = (price: number, quantity: number): Draft => ({
    rice: {
      packed: 1,
      reason: 'not_available',
      replacement: { product: 'b', name: 'B', nameNe: null, price, quantity },
    },
  })
  expect(isDearer([line], instead(500, 1))).toBe(false)
  expect(isDearer([line], instead(501, 1))).toBe(true)
  expect(isDearer([line], instead(300, 2))).toBe(true)
  expect(isDearer([line], {})).toBe(false)
})

test('a draft survives a reload until the order is finished', () => {
  storeDraft('a', { rice: { packed: 1 } })
  expect(loadDraft('a')).toEqual({ rice: { packed: 1 } })
  storeDraft('a', {})
  expect(localStorage.getItem('packing:a')).toBeNull()
})
