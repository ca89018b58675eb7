import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { BuyableProductGrid } from '@/features/cart/buyable-product-grid'
import { cartStore } from '@/features/cart/cart-store'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'

beforeEach(() => cartStore.clear())

test('a card shows what one needs to decide', async () => {
  await renderInShop(<BuyableProductGrid products={[aProduct()]} />)
  const card = within(screen.getByRole('article'))
  expect(card.getByRole('link', { name: 'Mustard Oil' })).toHaveAttribute('href', '/product/oil-ghee/p-oil')
  expect(card.getByText('Rated 4.6 out of 5, 38 reviews')).toBeInTheDocument()
  expect(card.getByText('1 L').parentElement).toHaveTextContent('1 L · Rs. 320 / L')
  expect(card.getByText('Rs. 320')).toBeInTheDocument()
  expect(card.getByRole('button', { name: 'Add to Cart' })).toHaveTextContent('Add')
  expect(card.queryByText('cooking')).toBeNull()
  expect(card.queryByTestId('stock-badge')).toBeNull()
})

test('a product without reviews shows no rating, and one that is sold out cannot be added', async () => {
  await renderInShop(<BuyableProductGrid products={[aProduct({ reviews: 0, stock: 0 })]} />)
  const card = within(screen.getByRole('article'))
  expect(card.queryByText(/Rated/)).toBeNull()
  expect(card.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
  expect(card.getByTestId('stock-badge')).toHaveTextContent('Out of stock')
})

// spec: 4.cart.1, 4.cart.2, 4.cart.3, 4.cart.5, 4.cart.6
test('Add to Cart becomes a stepper, keeps the keyboard there, and goes back at nothing', async () => {
  const user = userEvent.setup()
  await renderInShop(<BuyableProductGrid products={[aProduct()]} />)
  await user.click(screen.getByRole('button', { name: 'Add to Cart' }))
  expect(screen.getByTestId('toast')).toHaveTextContent('Added to cart')
  const more = screen.getByRole('button', { name: 'Increase Mustard Oil' })
  expect(more).toHaveFocus()
  await user.click(more)
  expect(cartStore.read()).toEqual({ 'p-oil': 2 })
  expect(screen.getAllByTestId('toast')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Decrease Mustard Oil' }))
  expect(screen.getByText('Removed from cart')).toBeInTheDocument()
  expect(cartStore.read()).toEqual({ 'p-oil': 1 })
  await user.click(screen.getByRole('button', { name: 'Decrease Mustard Oil' }))
  expect(screen.getByRole('button', { name: 'Add to Cart' })).toHaveFocus()
  expect(cartStore.read()).toEqual({})
})

test('the last piece can be taken, and no more', async () => {
  const user = userEvent.setup()
  await renderInShop(<BuyableProductGrid products={[aProduct({ stock: 1 })]} />)
  expect(screen.getByTestId('stock-badge')).toHaveTextContent('Only 1 left')
  await user.click(screen.getByRole('button', { name: 'Add to Cart' }))
  const more = screen.getByRole('button', { name: 'Increase Mustard Oil' })
  expect(more).toHaveAttribute('aria-disabled', 'true')
  await user.click(more)
  expect(cartStore.read()).toEqual({ 'p-oil': 1 })
})

test('what is sold out says so and cannot be added', async () => {
  await renderInShop(<BuyableProductGrid products={[aProduct({ stock: 0 })]} />)
  expect(screen.getByTestId('stock-badge')).toHaveTextContent('Out of stock')
  expect(screen.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
})

test('a search marks the part of the name it found', async () => {
  await renderInShop(<BuyableProductGrid products={[aProduct()]} match="tard" />)
  expect(screen.getByText('tard').tagName).toBe('MARK')
  expect(screen.getByRole('link')).toHaveTextContent('Mustard Oil')
})
