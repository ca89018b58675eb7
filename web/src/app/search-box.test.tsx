import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SearchBox } from '@/app/search-box'
import { renderInShop } from '@/test/render-in-shop'

const field = () => screen.getByPlaceholderText('Search products...')

// spec: 2.header.4, 2.header.14
test('a search leads to the products page with the words in the address', async () => {
  const { address } = await renderInShop(<SearchBox />)
  await userEvent.type(field(), '  rice {Enter}')
  await expect.poll(address).toBe('/products?search=rice')
})

// spec: 2.header.15
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
