import { describe, expect, test } from 'vitest'
import { ApiError, serverFailure } from '@/api/client'
import {
  categoryErrorText,
  categoryValues,
  checkCategory,
  mergeTexts,
  textsToAdd,
  textsToUpdate,
} from '@/features/catalogue/seller/category-values'
import { errorField, errorText } from '@/features/catalogue/seller/error-text'
import { readDraft, saveDraft } from '@/features/catalogue/seller/product-draft'
import {
  directionOf,
  nextSort,
  parseProductFilter,
  serializeProductFilter,
} from '@/features/catalogue/seller/product-filter'
import { EMPTY_PRODUCT } from '@/features/catalogue/seller/product-values'
import { recount } from '@/features/catalogue/seller/products-api'
import { splitTags } from '@/features/catalogue/seller/tags-field'
import { pictureProblem } from '@/features/media/picture-problem'
import { aSellerCategory } from '@/test/fixtures-seller'

describe('what the list shows, as the address says it', () => {
  test('the usual is not written down, and comes back', () => {
    const all = parseProductFilter({})
    expect(all).toEqual({ search: '', stock: 'all', sort: 'newest' })
    expect(serializeProductFilter(all)).toEqual({})
    expect(parseProductFilter({ stock: 'low' }).sort).toBe('stock')
    expect(serializeProductFilter({ search: 'oil', stock: 'low', sort: 'name' })).toEqual({
      search: 'oil',
      stock: 'low',
      sort: 'name',
    })
  })
  test('nonsense is ignored; the whole shop by stock is not offered', () => {
    expect(parseProductFilter({ search: 12, stock: 'x', sort: 'stock' })).toEqual({
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
  test('is stored and found again; nothing leaves nothing behind', () => {
    saveDraft('k', { ...EMPTY_PRODUCT, name: 'Tea', tags: ['a'] })
    expect(readDraft('k')).toEqual({ ...EMPTY_PRODUCT, name: 'Tea', tags: ['a'] })
    saveDraft('k', EMPTY_PRODUCT)
    expect(sessionStorage.getItem('k')).toBeNull()
    expect(readDraft('k')).toBeNull()
  })
  test('what is broken is ignored', () => {
    sessionStorage.setItem('k', '{"name":5,"tags":"x","price":"12"}')
    expect(readDraft('k')).toEqual({ ...EMPTY_PRODUCT, price: '12' })
    sessionStorage.setItem('k', '{')
    expect(readDraft('k')).toBeNull()
  })
})

describe('what is said of a failure', () => {
  test('a no in the server’s words, a fault in ours', () => {
    expect(errorText(new ApiError('x', 401, 'Please log in again.'))).toBe('Please log in again.')
    expect(errorText(new ApiError('x', 409, 'Not now.'))).toBe('Not now.')
    expect(errorText(new ApiError('x', 400, ''))).toBe('seller.products.failed')
    expect(errorText(serverFailure(500))).toBe('session.500')
    expect(errorText(serverFailure(503, 'busy'))).toBe('session.unreachable')
    expect(errorText(serverFailure(502))).toBe('session.unreachable')
    expect(errorText(new TypeError('Failed to fetch'))).toBe('seller.products.noResponse')
  })
  test('the field it is about, where there is one', () => {
    expect(errorField(new ApiError('field_invalid', 422, '', { field: 'price' }))).toBe('price')
    expect(errorField(new ApiError('image_size', 413, ''))).toBe('image')
    expect(errorField(new ApiError('image_type', 422, '', { field: 'icon' }))).toBe('icon')
    expect(errorField(new ApiError('product_changed', 409, ''))).toBeUndefined()
    expect(errorField(new Error())).toBeUndefined()
  })
  test.each([
    [new ApiError('x', 401, ''), 'seller.categories.unauthorized', 'seller.categories.unauthorized'],
    [new ApiError('x', 401, 'Who are you?'), 'Who are you?', 'Who are you?'],
    [new ApiError('x', 422, 'No.'), 'seller.categories.addFailed', 'No.'],
    [
      new ApiError('category_name_taken', 409, 'x'),
      'seller.categories.addFailed',
      'seller.categories.err.taken',
    ],
    [serverFailure(500), 'session.500', 'session.500'],
    [serverFailure(503), 'seller.categories.unexpectedError', 'session.unreachable'],
    [new TypeError(), 'seller.categories.unexpectedError', 'session.unreachable'],
  ])('of a category: %s', (error, toast, inline) => {
    expect(categoryErrorText(error, 'seller.categories.addFailed')).toEqual({ toast, inline })
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
      name: 'seller.categories.err.name',
      description: 'seller.categories.err.description',
      image: 'seller.categories.err.image',
      icon: 'seller.categories.err.icon',
    })
    expect(checkCategory(good, none, good)).toEqual({})
    expect(checkCategory(good, pictures, null)).toEqual({})
  })
  test('a name or description that was emptied is told; one that was never there may stay so', () => {
    const emptied = { ...good, name: ' ', description: '' }
    expect(checkCategory(emptied, none, good)).toEqual({
      name: 'seller.categories.err.name',
      description: 'seller.categories.err.description',
    })
    const bare = { ...good, description: '' }
    expect(checkCategory(bare, none, bare)).toEqual({})
  })
  test('files are looked at again before they are sent', () => {
    const bad = { image: file('application/pdf'), icon: file('image/png', 11 * MB) }
    expect(checkCategory(good, bad, good)).toEqual({
      image: 'seller.categories.err.type',
      icon: 'seller.categories.err.size',
    })
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
