import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { BuyBox } from '@/features/cart/buy-box'
import { cartStore } from '@/features/cart/cart-store'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'

beforeEach(() => cartStore.clear())

// spec: 2.product.4, 2.product.5
test('the chosen number is added with one press and one message', async () => {
  const user = userEvent.setup()
  await renderInShop(<BuyBox product={aProduct({ stock: 6 })} />)
  expect(screen.getByText('(6 available)')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Increase quantity' }))
  await user.click(screen.getByRole('button', { name: 'Increase quantity' }))
  await user.click(screen.getByRole('button', { name: 'Add to Cart' }))
  expect(cartStore.read()).toEqual({ 'p-oil': 3 })
  expect(screen.getAllByTestId('toast')).toHaveLength(1)
  expect(screen.getByText(/In your cart: 3/)).toBeInTheDocument()
})

test('a typed number, in either script, is held between one and the stock', async () => {
  const user = userEvent.setup()
  await renderInShop(<BuyBox product={aProduct({ stock: 6 })} />)
  const field = screen.getByRole('textbox', { name: 'Quantity' })
  await user.clear(field)
  await user.type(field, '९९{Enter}')
  expect(field).toHaveValue('6')
  expect(screen.getByText('Only 6 available')).toBeInTheDocument()
  await user.clear(field)
  await user.type(field, '0{Enter}')
  expect(field).toHaveValue('1')
})

test('with nothing left, nothing can be pressed', async () => {
  await renderInShop(<BuyBox product={aProduct({ stock: 0 })} />)
  expect(screen.getByText('(0 available)')).toBeInTheDocument()
  for (const name of ['Add to Cart', 'Increase quantity', 'Decrease quantity']) {
    expect(screen.getByRole('button', { name })).toBeDisabled()
  }
})
