import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CartLink } from '@/features/cart/cart-link'
import { cartStore } from '@/features/cart/cart-store'
import { renderInShop } from '@/test/render-in-shop'

beforeEach(() => cartStore.clear())

test('an empty cart shows no number', async () => {
  await renderInShop(<CartLink />)
  expect(screen.getByRole('link', { name: 'Cart, empty' })).toHaveAttribute('href', '/cart')
  expect(screen.queryByTestId('cart-count')).not.toBeInTheDocument()
})

test('the number is the sum of the quantities', async () => {
  cartStore.add('rice', 3, 10)
  cartStore.add('oil', 1, 10)
  await renderInShop(<CartLink />)
  expect(screen.getByTestId('cart-count')).toHaveTextContent('4')
  expect(screen.getByRole('link', { name: 'Cart, 4 items' })).toBeInTheDocument()
})

test('above ninety-nine the badge stops counting, the name does not', async () => {
  cartStore.add('rice', 120, 500)
  await renderInShop(<CartLink />)
  expect(screen.getByTestId('cart-count')).toHaveTextContent('99+')
  expect(screen.getByRole('link', { name: 'Cart, 120 items' })).toBeInTheDocument()
})
