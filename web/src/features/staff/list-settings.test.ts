import { expect, test } from 'vitest'
import { isSameFilter, parseListSettings } from '@/features/staff/list-settings'

const NOTHING = { views: [], columns: null }

test.each([
  null,
  '',
  'nonsense',
  '[]',
  'null',
  '7',
  '{"version":2,"views":[{"name":"A","filter":{}}]}',
  '{"version":1,"views":{"name":"A"},"columns":"phone"}',
])('%j counts as nothing', (text) => {
  expect(parseListSettings(text)).toEqual(NOTHING)
})

test('views and columns that make no sense are left out, the others stay', () => {
  const good = { name: 'Mine', filter: { status: 'Cancelled' } }
  const views = [
    good,
    { name: ' ', filter: {} },
    { name: 'x'.repeat(41), filter: {} },
    { name: 'B', filter: { a: 1 } },
    4,
  ]
  const stored = JSON.stringify({ version: 1, views, columns: ['phone', 3] })
  expect(parseListSettings(stored)).toEqual({ views: [good], columns: ['phone'] })
})

test('more views than fit are cut off', () => {
  const views = Array.from({ length: 30 }, (_, n) => ({ name: `View ${n}`, filter: {} }))
  expect(parseListSettings(JSON.stringify({ version: 1, views })).views).toHaveLength(20)
})

test('filters are the same whatever their order, and an empty parameter is none', () => {
  expect(isSameFilter({ status: 'Cancelled', search: 'a' }, { search: 'a', status: 'Cancelled' })).toBe(true)
  expect(isSameFilter({ status: '', search: '' }, {})).toBe(true)
  expect(isSameFilter({ search: 'a' }, { search: 'b' })).toBe(false)
})
