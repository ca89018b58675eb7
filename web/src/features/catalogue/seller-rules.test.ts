import { describe, expect, test } from 'vitest'
import { failure, Refusal } from '@/api/client'
import {
  categoryFailure,
  categoryValues,
  checkCategory,
  mergeTexts,
  textsToAdd,
  textsToUpdate,
} from '@/features/catalogue/seller-category-values'
import { keepDraft, readDraft } from '@/features/catalogue/seller-draft'
import { failureText, fieldOf } from '@/features/catalogue/seller-failure'
import {
  directionOf,
  nextSort,
  readSellerFilter,
  spellSellerFilter,
} from '@/features/catalogue/seller-filter'
import { NO_PRODUCT } from '@/features/catalogue/seller-product-values'
import { recount } from '@/features/catalogue/seller-products-api'
import { splitTags } from '@/features/catalogue/seller-tags-field'
import { pictureProblem } from '@/features/media/picture-problem'
import { aSellerCategory } from '@/test/fixtures-seller'

describe('what the list shows, as the address says it', () => {
  test('the usual is not written down, and comes back', () => {
    const all = readSellerFilter({})
    expect(all).toEqual({ search: '', stock: 'all', sort: 'newest' })
    expect(spellSellerFilter(all)).toEqual({})
    expect(readSellerFilter({ stock: 'low' }).sort).toBe('stock')
    expect(spellSellerFilter({ search: 'oil', stock: 'low', sort: 'name' })).toEqual({
      search: 'oil',
      stock: 'low',
      sort: 'name',
    })
  })
  test('nonsense is ignored; the whole shop by stock is not offered', () => {
    expect(readSellerFilter({ search: 12, stock: 'x', sort: 'stock' })).toEqual({
      search: '12',
      stock: 'all',
      sort: 'newest',
    })
  })
  test('a column sorts, then backwards where it can, then no more', () => {
    const at = (
      sort: 'newest' | 'name' | 'price_asc' | 'price_desc' | 'stock',
      stock: 'all' | 'low' = 'all',
    ) => ({
      search: '',
      stock,
      sort,
    })
    expect(nextSort('price', at('newest'))).toBe('price_asc')
    expect(nextSort('price', at('price_asc'))).toBe('price_desc')
    expect(nextSort('price', at('price_desc'))).toBe('newest')
    expect(nextSort('name', at('name'))).toBe('newest')
    expect(nextSort('name', at('name', 'low'))).toBe('stock')
    expect(nextSort('stock', at('newest', 'low'))).toBe('stock')
    expect(directionOf('price', 'price_desc')).toBe('descending')
    expect(directionOf('price', 'price_asc')).toBe('ascending')
    expect(directionOf('name', 'price_desc')).toBe('none')
    expect(directionOf('stock', 'stock')).toBe('ascending')
  })
})

test('the numbers on the chips follow one product', () => {
  const counts = { all: 9, low: 2, out: 1 }
  expect(recount(counts, 42, 8)).toEqual({ all: 9, low: 3, out: 1 })
  expect(recount(counts, 8, 0)).toEqual({ all: 9, low: 1, out: 2 })
  expect(recount(counts, 0, 11)).toEqual({ all: 9, low: 2, out: 0 })
  expect(recount(counts, 5, null)).toEqual({ all: 8, low: 1, out: 1 })
})

test('tags are split at commas, each once', () => {
  expect(splitTags('a, b ,, A,c', ['b'])).toEqual(['b', 'a', 'c'])
  expect(splitTags(' ')).toEqual([])
})

describe('what was begun', () => {
  test('is kept and found again; nothing leaves nothing behind', () => {
    keepDraft('k', { ...NO_PRODUCT, name: 'Tea', tags: ['a'] })
    expect(readDraft('k')).toEqual({ ...NO_PRODUCT, name: 'Tea', tags: ['a'] })
    keepDraft('k', NO_PRODUCT)
    expect(sessionStorage.getItem('k')).toBeNull()
    expect(readDraft('k')).toBeNull()
  })
  test('what is broken is ignored', () => {
    sessionStorage.setItem('k', '{"name":5,"tags":"x","price":"12"}')
    expect(readDraft('k')).toEqual({ ...NO_PRODUCT, price: '12' })
    sessionStorage.setItem('k', '{')
    expect(readDraft('k')).toBeNull()
  })
})

describe('what is said of a failure', () => {
  test('a no in the server’s words, a fault in ours', () => {
    expect(failureText(new Refusal('x', 401, 'Please log in again.'))).toBe('Please log in again.')
    expect(failureText(new Refusal('x', 409, 'Not now.'))).toBe('Not now.')
    expect(failureText(new Refusal('x', 400, ''))).toBe('sprod.failed')
    expect(failureText(failure(500))).toBe('session.500')
    expect(failureText(failure(503, 'busy'))).toBe('session.unreachable')
    expect(failureText(failure(502))).toBe('session.unreachable')
    expect(failureText(new TypeError('Failed to fetch'))).toBe('sprod.noResponse')
  })
  test('the field it is about, where there is one', () => {
    expect(fieldOf(new Refusal('field_invalid', 422, '', { field: 'price' }))).toBe('price')
    expect(fieldOf(new Refusal('image_size', 413, ''))).toBe('image')
    expect(fieldOf(new Refusal('image_type', 422, '', { field: 'icon' }))).toBe('icon')
    expect(fieldOf(new Refusal('product_changed', 409, ''))).toBeUndefined()
    expect(fieldOf(new Error())).toBeUndefined()
  })
  test.each([
    [new Refusal('x', 401, ''), 'scat.401', 'scat.401'],
    [new Refusal('x', 401, 'Who are you?'), 'Who are you?', 'Who are you?'],
    [new Refusal('x', 422, 'No.'), 'scat.addFailed', 'No.'],
    [new Refusal('category_name_taken', 409, 'x'), 'scat.addFailed', 'scat.err.taken'],
    [failure(500), 'session.500', 'session.500'],
    [failure(503), 'scat.other', 'session.unreachable'],
    [new TypeError(), 'scat.other', 'session.unreachable'],
  ])('of a category: %s', (error, toast, inline) => {
    expect(categoryFailure(error, 'scat.addFailed')).toEqual({ toast, inline })
  })
})

const file = (type: string, bytes = 10) => {
  const made = new File(['x'], 'a', { type })
  Object.defineProperty(made, 'size', { value: bytes })
  return made
}
const MB = 1024 * 1024

describe('categories', () => {
  const good = { name: 'Tea', description: 'Leaves.', nameNe: '', descriptionNe: '' }
  const pictures = { image: file('image/png'), icon: file('image/webp') }
  const none = { image: null, icon: null }

  test('a new one needs all four; an old one none', () => {
    const empty = { name: ' ', description: '', nameNe: '', descriptionNe: '' }
    expect(checkCategory(empty, none, null)).toEqual({
      name: 'scat.err.name',
      description: 'scat.err.desc',
      image: 'scat.err.image',
      icon: 'scat.err.icon',
    })
    expect(checkCategory(good, none, good)).toEqual({})
    expect(checkCategory(good, pictures, null)).toEqual({})
  })
  test('a name or description that was emptied is told; one that was never there may stay so', () => {
    const emptied = { ...good, name: ' ', description: '' }
    expect(checkCategory(emptied, none, good)).toEqual({
      name: 'scat.err.name',
      description: 'scat.err.desc',
    })
    const bare = { ...good, description: '' }
    expect(checkCategory(bare, none, bare)).toEqual({})
  })
  test('files are looked at again before they are sent', () => {
    const bad = { image: file('application/pdf'), icon: file('image/png', 11 * MB) }
    expect(checkCategory(good, bad, good)).toEqual({ image: 'scat.err.type', icon: 'scat.err.size' })
  })
  test.each(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])(
    '%s is fine, up to ten megabytes',
    (type) => {
      expect(pictureProblem(file(type, 10 * MB))).toBeNull()
      expect(pictureProblem(file(type, 10 * MB + 1))).toBe('size')
    },
  )

  const tea = aSellerCategory({ name: 'Tea', description: 'Leaves.', nameNe: 'चिया' })
  test('what is sent', () => {
    expect(textsToAdd({ ...good, nameNe: ' चिया ' })).toEqual({
      name: 'Tea',
      description: 'Leaves.',
      nameNe: 'चिया',
    })
    expect(textsToUpdate(tea, categoryValues(tea))).toEqual({ version: 'v1' })
    expect(
      textsToUpdate(tea, { name: 'Tea', description: 'Fine leaves.', nameNe: '', descriptionNe: '' }),
    ).toEqual({
      description: 'Fine leaves.',
      nameNe: '',
      version: 'v1',
    })
  })
  test('two people, one category', () => {
    const fresh = aSellerCategory({
      name: 'Teas',
      description: 'Leaves and buds.',
      nameNe: 'चिया',
      version: 'v2',
    })
    const mine = { ...categoryValues(tea), name: 'Tea & Coffee', descriptionNe: 'पात' }
    expect(mergeTexts(tea, mine, fresh, 'mine')).toMatchObject({
      name: 'Tea & Coffee',
      description: 'Leaves and buds.',
      descriptionNe: 'पात',
    })
    expect(mergeTexts(tea, mine, fresh, 'theirs')).toMatchObject({ name: 'Teas', descriptionNe: 'पात' })
  })
})
