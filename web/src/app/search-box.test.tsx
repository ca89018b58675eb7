import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { SearchBox } from '@/app/search-box'
import { cartStore } from '@/features/cart/cart-store'
import { cacheProducts } from '@/features/catalogue/api'
import { PRODUCTS, productList } from '@/test/catalogue'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer } from '@/test/server'

const field = () => screen.getByPlaceholderText('Search products...')

// spec: 2.header.4, 2.header.14
test('a search leads to the products page with the words in the address', async () => {
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), '  rice {Enter}')
  await expect.poll(address).toBe('/products?search=rice')
})

// spec: 2.header.15
test('the box is empty after a search, because the results have a box with the words', async () => {
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'rice{Enter}')
  await expect.poll(address).toBe('/products?search=rice')
  expect(field()).toHaveValue('')
})

test('an empty search goes nowhere and keeps the focus', async () => {
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), '   {Enter}')
  expect(address()).toBe('/')
  expect(field()).toHaveFocus()
})

test('the words can be cleared with the cross or with Escape', async () => {
  await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'rice')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(field()).toHaveValue('')
  expect(field()).toHaveFocus()
  await userEvent.type(field(), 'oil{Escape}')
  expect(field()).toHaveValue('')
})

test('what the server finds by another name is suggested with picture, pack and price', async () => {
  mockServer({ [PRODUCTS]: productList([], { matches: [aProduct({ nameNe: 'तोरीको तेल' })] }) })
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'tori')
  const option = await screen.findByRole('gridcell', { name: /^Mustard Oil/ })
  expect(option).toHaveTextContent('Rs. 320')
  await userEvent.keyboard('{ArrowDown}')
  expect(field()).toHaveAttribute('aria-activedescendant', option.id)
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/product/oil-ghee/p-oil')
})

test('a suggested product can be put into the cart with the keys and by a press, and the list stays open', async () => {
  const soldOut = aProduct({ id: 'p-ghee', name: 'Ghee', stock: 0 })
  mockServer({ [PRODUCTS]: productList([aProduct(), soldOut]) })
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'oil')
  const add = await screen.findByRole('gridcell', { name: 'Add Mustard Oil to cart' })
  expect(screen.getAllByRole('gridcell', { name: /^Add / }), 'nothing that is sold out').toHaveLength(1)
  // Before a suggestion is chosen the keys move in the text.
  await userEvent.keyboard('{ArrowRight}')
  expect(field()).not.toHaveAttribute('aria-activedescendant')
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  expect(field()).toHaveAttribute('aria-activedescendant', add.id)
  expect(add).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => cartStore.read()).toEqual({ 'p-oil': 1 })
  await userEvent.click(add)
  await expect.poll(() => cartStore.read()).toEqual({ 'p-oil': 2 })
  expect(add).toHaveTextContent('2')
  expect(add).toHaveAccessibleName('Add Mustard Oil to cart, In your cart: 2')
  expect(field()).toHaveFocus()
  expect(address()).toBe('/')
  await userEvent.keyboard('{ArrowLeft}{Enter}')
  await expect.poll(address).toBe('/product/oil-ghee/p-oil')
})

test('the chosen suggestion stays the same when the answer of the server changes the places', async () => {
  const brown = aProduct({ id: 'p-brown', name: 'Brown Rice', nameNe: null })
  const basmati = aProduct({ id: 'p-basmati', name: 'Rice Basmati', nameNe: null })
  mockServer({ [PRODUCTS]: 'never' })
  cacheProducts([brown])
  await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'rice')
  await screen.findByRole('gridcell', { name: 'Add Brown Rice to cart' })
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  cacheProducts([basmati])
  act(() => void queryClient.setQueryData(['catalogue', 'suggested', 'rice'], [basmati]))
  await screen.findByRole('gridcell', { name: 'Add Rice Basmati to cart' })
  expect(screen.getAllByRole('row')[1]).toHaveTextContent('Brown Rice')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => cartStore.read()).toMatchObject({ 'p-brown': 1 })
  expect(cartStore.read()).not.toHaveProperty('p-basmati')
})

test('of a suggested product no more pieces are added than there are', async () => {
  mockServer({ [PRODUCTS]: productList([aProduct({ id: 'p-honey', name: 'Honey', stock: 1 })]) })
  await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'honey')
  const add = await screen.findByRole('gridcell', { name: 'Add Honey to cart' })
  await userEvent.click(add)
  expect(add).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(add)
  expect(cartStore.read()).toMatchObject({ 'p-honey': 1 })
})

test('past searches are offered when the empty box gets the focus', async () => {
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'rice{Enter}')
  await expect.poll(address).toBe('/products?search=rice')
  expect(field()).not.toHaveFocus()
  await userEvent.click(field())
  const list = await screen.findByRole('grid', { name: 'Past searches' })
  expect(list).toHaveTextContent('rice')
  await userEvent.click(screen.getByRole('gridcell', { name: 'rice' }))
  expect(screen.queryByRole('grid')).toBeNull()
})
