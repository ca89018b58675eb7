import { expect, test } from 'vitest'
import { cartStore } from '@/features/cart/cart-store'
import { clearUserCart } from '@/features/cart/clear-user-cart'
import { readSyncedCart, writeSyncedCart } from '@/features/cart/synced-cart'

// Every page can do this, even if it has not loaded the cart sync.
test('at logout this device forgets a person’s cart, but not a visitor’s', () => {
  cartStore.add('tea', 1, 10)
  clearUserCart()
  expect(cartStore.read()).toEqual({ tea: 1 })
  writeSyncedCart({ user: 'sita', items: { tea: 1 } })
  clearUserCart()
  expect(cartStore.read()).toEqual({})
  expect(readSyncedCart()).toBeNull()
})
