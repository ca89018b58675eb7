import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SearchBox } from '@/app/search-box'
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
  const option = await screen.findByRole('option', { name: /Mustard Oil/ })
  expect(option).toHaveTextContent('Rs. 320')
  await userEvent.keyboard('{ArrowDown}')
  expect(field()).toHaveAttribute('aria-activedescendant', option.id)
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/product/oil-ghee/p-oil')
})

test('past searches are offered when the empty box gets the focus', async () => {
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), 'rice{Enter}')
  await expect.poll(address).toBe('/products?search=rice')
  expect(field()).not.toHaveFocus()
  await userEvent.click(field())
  const list = await screen.findByRole('listbox', { name: 'Past searches' })
  expect(list).toHaveTextContent('rice')
  await userEvent.click(screen.getByRole('option', { name: 'rice' }))
  expect(screen.queryByRole('listbox')).toBeNull()
})
