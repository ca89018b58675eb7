import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { CartLink } from '@/features/cart/cart-link'
import { cartStore } from '@/features/cart/cart-store'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { serverAnswers } from '@/test/server'

beforeEach(() => cartStore.clear())

test('an empty cart shows no number', async () => {
  await renderInShop(<CartLink />)
  expect(screen.getByRole('link', { name: 'Cart, empty' })).toHaveAttribute('href', '/cart')
  expect(screen.queryByTestId('cart-count')).not.toBeInTheDocument()
})

// spec: 2.header.5
test('the number is the sum of the quantities', async () => {
  cartStore.add('rice', 3, 10)
  cartStore.add('oil', 1, 10)
  await renderInShop(<CartLink />)
  expect(screen.getByTestId('cart-count')).toHaveTextContent('4')
  expect(screen.getByRole('link', { name: 'Cart, 4 items' })).toBeInTheDocument()
})

test('above ninety-nine the badge stops counting, the name does not', async () => {
  cartStore.add('rice', 80, 500)
  cartStore.add('oil', 40, 500)
  await renderInShop(<CartLink />)
  expect(screen.getByTestId('cart-count')).toHaveTextContent('99+')
  expect(screen.getByRole('link', { name: 'Cart, 120 items' })).toBeInTheDocument()
})

// spec: 4.cart.8, 6.rules.3
test('a signed-in shopper’s cart is fetched from the server, a visitor’s is nobody’s business', async () => {
  const asked = serverAnswers({
    'GET /api/cart/get_cart': {
      body: {
        success: true,
        message: '',
        data: { rice: 2 },
        dropped: [],
        quote: { subtotal: 0, tax: 0, shippingFee: 0, total: 0 },
      },
    },
  })
  await renderInShop(<CartLink />)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked).toEqual([])
  act(() => void queryClient.setQueryData(sessions.user.queryKey, aUser()))
  expect(await screen.findByRole('link', { name: 'Cart, 2 items' })).toBeInTheDocument()
  expect(asked.map(({ path }) => path)).toEqual(['/api/cart/get_cart'])
})
