import { expect, test } from 'vitest'
import { suggest } from '@/features/catalogue/suggestions'
import { aCategory, aProduct } from '@/test/fixtures'

const goods = [
  aProduct(),
  aProduct({ id: 'p-rice', name: 'Jumli Marsi Rice', nameNe: 'जुम्ली मार्सी चामल' }),
  aProduct({ id: 'p-salt', name: 'Salt', nameNe: null }),
]
const categories = [
  aCategory(),
  aCategory({ slug: 'rice-grains', name: 'Rice & Grains', nameNe: 'चामल तथा अन्न' }),
]
const labels = (typed: string) => suggest(typed, 'en', goods, categories).map(({ label }) => label)

test('two letters are enough, one is not', () => {
  expect(labels('r')).toEqual([])
  expect(labels('ri')).toEqual(['Rice & Grains', 'Jumli Marsi Rice'])
})

test('either script finds the same things', () => {
  expect(labels('चामल')).toEqual(labels('RICE'))
})

test('nothing known means nothing suggested', () => {
  expect(labels('zzz')).toEqual([])
})
