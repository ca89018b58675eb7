import vectors from '@data/quote-vectors.json'
import { expect, test } from 'vitest'
import { freeShipping, freeShippingPercent, quote, type TaxClass } from '@/features/cart/quote'
import { ratesOf } from '@/features/shop/rules'

const SPECIFIED = ratesOf({ shippingFee: 20, freeShippingAbove: 1000, taxRate: 13, vatRegistered: true })

const one = (price: number, quantity = 1, taxClass: TaxClass = 'standard') => [{ price, quantity, taxClass }]

test('there are vectors to be held to', () => {
  expect(vectors.length).toBeGreaterThan(10)
})

// spec: 9.const.2, 9.const.3, 9.const.4, 9.const.5
test.each(vectors)(
  'the same figures as the server: $lines (VAT: $vatRegistered) comes to $total',
  ({ lines, vatRegistered, pricesIncludeTax = false, rates, minimumMissing = 0, ...figures }) => {
    const read = lines.map(([price, quantity, taxClass]) => ({
      price: Number(price),
      quantity: Number(quantity),
      taxClass: taxClass as TaxClass,
    }))
    expect(quote(read, { ...SPECIFIED, ...rates, vatRegistered, pricesIncludeTax })).toEqual({
      ...figures,
      minimumMissing,
    })
  },
)

// spec: 9.const.5
test('the parts add up for any basket', () => {
  for (let price = 1; price < 2000_00; price += 997) {
    const { subtotal, shippingFee, tax, total } = quote(
      [...one(price, 3), ...one(price, 2, 'exempt')],
      SPECIFIED,
    )
    expect(subtotal + shippingFee + tax).toBe(total)
    expect(Number.isInteger(total)).toBe(true)
  }
})

// spec: 9.const.3
test('exactly 1000 rupees still pays for shipping, one paisa more does not', () => {
  expect(freeShipping(999_99, SPECIFIED)).toEqual({ state: 'more', missing: 1 })
  expect(freeShipping(1000_00, SPECIFIED)).toEqual({ state: 'any' })
  expect(freeShipping(1000_01, SPECIFIED)).toEqual({ state: 'yes' })
  expect(freeShippingPercent(700_00, SPECIFIED)).toBe(70)
  expect(freeShippingPercent(5000_00, SPECIFIED)).toBe(100)
  expect(quote(one(1000_00), SPECIFIED).shippingFee).toBe(20_00)
  expect(quote(one(1000_01), SPECIFIED).shippingFee).toBe(0)
})

test('shipping that is never free has a fee for any amount', () => {
  const zone = { ...SPECIFIED, freeShippingAbove: null }
  expect(freeShipping(1000_000_00, zone)).toEqual({ state: 'never' })
  expect(freeShipping(1, { ...zone, shippingFee: 0 })).toEqual({ state: 'yes' })
  expect(freeShippingPercent(1000_000_00, zone)).toBe(0)
})

test('a shop without a fee ships everything free', () => {
  const free = { ...SPECIFIED, shippingFee: 0 }
  expect(freeShipping(1, free)).toEqual({ state: 'yes' })
  expect(freeShippingPercent(1, free)).toBe(100)
  expect(freeShippingPercent(0, { ...SPECIFIED, freeShippingAbove: 0 })).toBe(100)
})
