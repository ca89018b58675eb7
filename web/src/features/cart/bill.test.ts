import { expect, test } from 'vitest'
import { bill, freeShipping, freeShippingPercent } from '@/features/cart/bill'

test.each([
  // subtotal, shipping, tax, total, in paisa
  [500_00, 20_00, 65_00, 585_00],
  [1000_00, 20_00, 130_00, 1150_00],
  [1001_00, 0, 130_13, 1131_13],
  [333_33, 20_00, 43_33, 396_66],
  [1000_01, 0, 130_00, 1130_01],
])('a subtotal of %d paisa ships for %d, is taxed %d and comes to %d', (subtotal, shipping, tax, total) => {
  expect(bill([{ price: subtotal, quantity: 1 }])).toEqual({ subtotal, shipping, tax, total })
})

test('half a paisa of tax is rounded up', () => {
  expect(bill([{ price: 50, quantity: 1 }]).tax).toBe(7)
})

test('the parts add up for any basket', () => {
  for (let price = 1; price < 2000_00; price += 997) {
    const { subtotal, shipping, tax, total } = bill([{ price, quantity: 3 }])
    expect(subtotal + shipping + tax).toBe(total)
    expect(Number.isInteger(total)).toBe(true)
  }
})

test('exactly 1000 rupees still pays for shipping, one paisa more does not', () => {
  expect(freeShipping(999_99)).toEqual({ state: 'more', missing: 1 })
  expect(freeShipping(1000_00)).toEqual({ state: 'any' })
  expect(freeShipping(1000_01)).toEqual({ state: 'yes' })
  expect(freeShippingPercent(700_00)).toBe(70)
  expect(freeShippingPercent(5000_00)).toBe(100)
})
