import { expect, test } from 'vitest'
import { nearestName } from '@/features/catalogue/seller/category-hint'

const NAMES = [
  'Rice & Grains',
  'Salt, Sugar & Sweeteners',
  'Tea, Coffee & Drinks',
  'Fresh Fruits',
  'Dry Fruits & Nuts',
]

test.each([
  ['Salt Sugar', 'Salt, Sugar & Sweeteners'],
  ['salt suger', 'Salt, Sugar & Sweeteners'],
  ['Tea and Coffee', 'Tea, Coffee & Drinks'],
  ['Fruit', 'Fresh Fruits'],
  ['Dry Fruit', 'Dry Fruits & Nuts'],
  ['Stationery', undefined],
  ['404', undefined],
])('%s may mean %s', (text, name) => {
  expect(nearestName(text, NAMES)).toBe(name)
})
