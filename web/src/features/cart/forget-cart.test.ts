import { expect, test } from 'vitest'
import { signedOut } from '@/features/accounts/person'
import '@/features/cart/cart-link'
import { cartStore } from '@/features/cart/cart-store'
import { readKept, writeKept } from '@/features/cart/kept'

// Only what every page loads is imported here: nobody has fetched the keeping of carts.
test('at logout this device forgets a person’s cart, but not a visitor’s', () => {
  cartStore.add('tea', 1, 10)
  signedOut()
  expect(cartStore.read()).toEqual({ tea: 1 })
  writeKept({ user: 'sita', items: { tea: 1 } })
  signedOut()
  expect(cartStore.read()).toEqual({})
  expect(readKept()).toBeNull()
})
