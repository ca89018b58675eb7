import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { CartLink } from '@/features/cart/cart-link'
import { cartStore } from '@/features/cart/cart-store'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, serverFailed } from '@/test/server'
import { holdTime, pass } from '@/test/time'

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
  const requests = mockServer({
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
  cartStore.add('tea', 1, 10)
  await renderInShop(<CartLink />)
  expect(screen.getByRole('link', { name: 'Cart, 1 item' })).toBeInTheDocument()
  act(() => cartStore.clear())
  act(() => void queryClient.setQueryData(sessions.user.queryKey, aUser()))
  expect(await screen.findByRole('link', { name: 'Cart, 2 items' })).toBeInTheDocument()
  expect(requests.map(({ path }) => path)).toEqual(['/api/cart/get_cart'])
})

const cart = (data: object) => ({
  body: {
    success: true,
    message: '',
    data,
    dropped: [],
    quote: { subtotal: 0, tax: 0, shippingFee: 0, total: 0 },
  },
})
const LOAD = 'GET /api/cart/get_cart'
const SAVE = 'POST /api/cart/update_cart'
const UNSUCCESSFUL = { body: { success: false } }
const count = () => screen.queryByTestId('cart-count')?.textContent

// spec: 7.answers.1, 8.session.7, 8.session.8
test.each([
  ['refused', UNSUCCESSFUL, 'Failed to fetch cart items.'],
  ['in error', serverFailed, 'Error fetching cart items.'],
])('a cart that is %s says so, and comes by itself later', async (_what, failure, text) => {
  let works = false
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  const requests = mockServer({ [LOAD]: () => (works ? cart({ rice: 3 }) : failure) })
  holdTime()
  await renderInShop(<CartLink />)
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  expect(count()).toBeUndefined()
  works = true
  await pass(2_100)
  await waitFor(() => expect(count()).toBe('3'))
  expect(requests).toHaveLength(2)
})

// spec: 7.answers.1, 8.session.9, 8.session.10
test.each([
  ['refused', UNSUCCESSFUL, 'Failed to update cart.'],
  ['in error', 'no network' as const, 'Error updating cart.'],
])('a change whose saving is %s says so, stays, and is saved later', async (_what, failure, text) => {
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  const requests = mockServer({ [LOAD]: cart({ rice: 1 }), [SAVE]: failure })
  holdTime()
  await renderInShop(<CartLink />)
  await waitFor(() => expect(count()).toBe('1'))
  act(() => void cartStore.add('rice', 1, 10))
  await pass(300)
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  expect(count()).toBe('2')
  const later = mockServer({ [SAVE]: cart({ rice: 2 }) })
  await pass(2_100)
  await waitFor(() => expect(later).toHaveLength(1))
  expect([requests.at(-1)?.body, later[0]?.body]).toEqual([
    { cartItems: { rice: 2 } },
    { cartItems: { rice: 2 } },
  ])
})
