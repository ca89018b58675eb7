import { expect, test } from 'vitest'
import { cartStore } from '@/features/cart/cart-store'
import { forgetCart } from '@/features/cart/forget-cart'
import { readKept, writeKept } from '@/features/cart/kept'

// What every page can do, though it has not fetched the keeping of carts.
test('at logout this device forgets a person’s cart, but not a visitor’s', () => {
  cartStore.add('tea', 1, 10)
  forgetCart()
  expect(cartStore.read()).toEqual({ tea: 1 })
  writeKept({ user: 'sita', items: { tea: 1 } })
  forgetCart()
  expect(cartStore.read()).toEqual({})
  expect(readKept()).toBeNull()
})
