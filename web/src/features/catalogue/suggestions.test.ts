import { expect, test } from 'vitest'
import { pastSearches, rememberSearch, suggest } from '@/features/catalogue/suggestions'
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

test('a word that begins with the text comes before one that contains it', () => {
  const spices = [
    aProduct({ id: 'p-turmeric', name: 'Turmeric', nameNe: null }),
    aProduct({ id: 'p-sona', name: 'Sona Mansuli Rice', nameNe: null }),
    aProduct({ id: 'p-rice', name: 'Rice Flour', nameNe: null }),
  ]
  const found = suggest('ri', 'en', spices, [aCategory({ slug: 'drinks', name: 'Drinks', nameNe: null })])
  expect(found.map(({ label }) => label)).toEqual(['Drinks', 'Rice Flour', 'Sona Mansuli Rice', 'Turmeric'])
})

test('what the server found by another name is added once', () => {
  const found = suggest(
    'ric',
    'en',
    goods,
    [],
    [goods[1] as (typeof goods)[0], aProduct({ id: 'p-new', name: 'Chiura' })],
  )
  expect(found.map(({ label }) => label)).toEqual(['Jumli Marsi Rice', 'Chiura'])
})

test('the last five searches are remembered, each once', () => {
  for (const text of ['a', 'b', 'c', 'd', 'e', 'b', 'f']) rememberSearch(text)
  expect(pastSearches()).toEqual(['f', 'b', 'e', 'd', 'c'])
})

test('nothing known means nothing suggested', () => {
  expect(labels('zzz')).toEqual([])
})
