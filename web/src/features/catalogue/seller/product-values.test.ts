import { describe, expect, test } from 'vitest'
import {
  changedFields,
  checkProduct,
  EMPTY_PRODUCT,
  fieldsToAdd,
  fieldsToUpdate,
  mergeValues,
  type ProductValues,
  productValues,
} from '@/features/catalogue/seller/product-values'
import { aSellerProduct } from '@/test/fixtures-seller'

const filled: ProductValues = {
  ...EMPTY_PRODUCT,
  name: 'Tea',
  description: 'From Ilam.',
  category: 'tea',
  price: '180',
}
const errorsOf = (changes: Partial<ProductValues>, lowest: 0 | 1 = 1) =>
  checkProduct({ ...filled, ...changes }, lowest)

describe('what may be sent', () => {
  test('four fields are needed, the others are not', () => {
    expect(checkProduct(EMPTY_PRODUCT, 1)).toEqual({
      name: 'seller.products.err.name',
      description: 'seller.products.err.description',
      category: 'seller.products.err.category',
      price: 'seller.products.err.price',
    })
    expect(errorsOf({})).toEqual({})
    expect(errorsOf({ name: '   ' })).toEqual({ name: 'seller.products.err.name' })
  })

  test.each(['1', '5', '4.6', ''])('a new product may have the rating "%s"', (rating) => {
    expect(errorsOf({ rating })).toEqual({})
  })
  test.each(['0', '0.9', '5.1', '4.65', '-1', 'x', '1e0'])('but not "%s"', (rating) => {
    expect(errorsOf({ rating })).toEqual({ rating: 'seller.products.err.rating' })
  })
  test.each(['0', '0.1', '5', ''])('a known one may have "%s"', (rating) => {
    expect(errorsOf({ rating }, 0)).toEqual({})
  })
  test.each(['5.1', '-0.1', '4.65'])('but not "%s" either', (rating) => {
    expect(errorsOf({ rating }, 0)).toEqual({ rating: 'seller.products.err.ratingEdit' })
  })

  test.each(['0', '12.5', '12.50', '999999999.99'])('%s is a price', (price) => {
    expect(errorsOf({ price })).toEqual({})
  })
  test.each(['-1', '1.234', 'abc', '1e3', '1,000'])('%s is none', (price) => {
    expect(errorsOf({ price })).toEqual({ price: 'seller.products.err.priceFormat' })
  })
  test.each(['-1', '1.5', 'x'])('%s is no number of things', (stock) => {
    expect(errorsOf({ stock, reviews: stock })).toEqual({
      stock: 'seller.products.err.wholeNumber',
      reviews: 'seller.products.err.wholeNumber',
    })
  })

  test('of a known product only what was touched is looked at', () => {
    const bare = { ...filled, description: '', unitMeasure: 'kg' }
    expect(checkProduct(bare, 0, ['price'])).toEqual({})
    expect(checkProduct(bare, 0, ['description'])).toEqual({ description: 'seller.products.err.description' })
    expect(checkProduct(bare, 0, ['unitMeasure'])).toEqual({
      unitAmount: 'seller.products.err.amountMissing',
    })
  })

  test('amount and measure go together', () => {
    expect(errorsOf({ unitAmount: '0.5', unitMeasure: 'kg' })).toEqual({})
    expect(errorsOf({ unitAmount: '5' })).toEqual({ unitMeasure: 'seller.products.err.measure' })
    expect(errorsOf({ unitMeasure: 'kg' })).toEqual({ unitAmount: 'seller.products.err.amountMissing' })
    expect(errorsOf({ unitAmount: '0', unitMeasure: 'kg' })).toEqual({
      unitAmount: 'seller.products.err.amount',
    })
  })
})

test('a new product is sent with the fields of the contract, and of the others what was filled in', () => {
  expect(fieldsToAdd({ ...filled, name: ' Tea ', tags: ['a', 'b'], nameNe: 'चिया' })).toEqual({
    name: 'Tea',
    description: 'From Ilam.',
    category: 'tea',
    price: '180',
    rating: '',
    reviews: '',
    tags: 'a, b',
    stock: '',
    nameNe: 'चिया',
  })
})

describe('changing a product', () => {
  const product = aSellerProduct()
  const values = productValues(product)

  test('only what was changed is sent, with the version it was changed from', () => {
    expect(changedFields(values, { ...values, name: `${values.name} ` })).toEqual([])
    expect(fieldsToUpdate(product, { ...values, price: '340', nameNe: '' })).toEqual({
      price: '340',
      nameNe: '',
      version: 'v1',
    })
  })
  test('the stock is sent with what it was', () => {
    expect(fieldsToUpdate(product, { ...values, stock: '50' })).toEqual({ stock: '50', stockWas: '42' })
    expect(fieldsToUpdate(product, { ...values, stock: '' })).toEqual({ stock: '0', stockWas: '42' })
  })
  test('with a picture the version goes too: somebody else may have replaced it', () => {
    expect(fieldsToUpdate(product, { ...values, stock: '50' }, true)).toEqual({
      stock: '50',
      stockWas: '42',
      version: 'v1',
    })
  })
  test('saving without a change is a question to the server too', () => {
    expect(fieldsToUpdate(product, values)).toEqual({ version: 'v1' })
  })

  const fresh = aSellerProduct({ price: 350, description: 'Pressed anew.', stock: 40, version: 'v2' })
  const mine = { ...values, price: '330', name: 'Mustard Oil 1 L' }
  test('what only one of us changed stays; where both did, one decides', () => {
    const theirs = productValues(fresh)
    expect(mergeValues(product, mine, fresh, 'mine')).toEqual({
      ...theirs,
      price: '330',
      name: 'Mustard Oil 1 L',
    })
    expect(mergeValues(product, mine, fresh, 'theirs')).toEqual({ ...theirs, name: 'Mustard Oil 1 L' })
  })
  test.each([
    ['47', '45'],
    ['40', '38'],
    ['1', '0'],
    ['', '0'],
    ['x', 'x'],
  ])('of 42, 2 are sold: the %s I typed is %s now, whoever stands', (stock, now) => {
    for (const whose of ['mine', 'theirs'] as const)
      expect(mergeValues(product, { ...values, stock }, fresh, whose).stock).toBe(now)
  })
})
