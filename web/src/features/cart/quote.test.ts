import { expect, test } from 'vitest'
import { freeShipping, freeShippingPercent, quote, type TaxClass } from '@/features/cart/quote'
import vectors from '../../../../server/seed/quote-vectors.json'

const one = (price: number, quantity = 1, taxClass: TaxClass = 'standard') => [{ price, quantity, taxClass }]

test('there are vectors to be held to', () => {
  expect(vectors.length).toBeGreaterThan(10)
})

// spec: 9.const.2, 9.const.3, 9.const.4, 9.const.5
test.each(vectors)(
  'the same figures as the server: $lines (VAT: $vatRegistered) comes to $total',
  ({ lines, vatRegistered, ...figures }) => {
    const read = lines.map(([price, quantity, taxClass]) => ({
      price: Number(price),
      quantity: Number(quantity),
      taxClass: taxClass as TaxClass,
    }))
    expect(quote(read, vatRegistered)).toEqual(figures)
  },
)

// spec: 9.const.5
test('the parts add up for any basket', () => {
  for (let price = 1; price < 2000_00; price += 997) {
    const { subtotal, shippingFee, tax, total } = quote([...one(price, 3), ...one(price, 2, 'exempt')], true)
    expect(subtotal + shippingFee + tax).toBe(total)
    expect(Number.isInteger(total)).toBe(true)
  }
})

// spec: 9.const.3
test('exactly 1000 rupees still pays for shipping, one paisa more does not', () => {
  expect(freeShipping(999_99)).toEqual({ state: 'more', missing: 1 })
  expect(freeShipping(1000_00)).toEqual({ state: 'any' })
  expect(freeShipping(1000_01)).toEqual({ state: 'yes' })
  expect(freeShippingPercent(700_00)).toBe(70)
  expect(freeShippingPercent(5000_00)).toBe(100)
  expect(quote(one(1000_00), true).shippingFee).toBe(20_00)
  expect(quote(one(1000_01), true).shippingFee).toBe(0)
})
