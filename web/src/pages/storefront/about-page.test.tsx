import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settings } from '@/lib/first-data'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer } from '@/test/server'
import { AboutPage } from './about-page'

const before = { ...settings.contact }
const rates = settings.rates
beforeEach(() => void mockServer({}))
afterEach(() => {
  Object.assign(settings.contact, before)
  settings.rates = rates
})

test('a shop without a phone number, email address and address shows no place for them', async () => {
  Object.assign(settings.contact, { phone: '', email: '', address: '', addressNe: '' })
  await renderInShop(<AboutPage />)
  expect(screen.getByRole('heading', { level: 1 })).toBeInTheDocument()
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.queryByRole('heading', { name: /contact/i })).toBeNull()
})

test('what there is of them is shown', async () => {
  Object.assign(settings.contact, { phone: '01-4123456', email: '', address: '', addressNe: '' })
  await renderInShop(<AboutPage />)
  expect(screen.getByRole('link', { name: '01-4123456' })).toHaveAttribute('href', 'tel:014123456')
  expect(screen.getAllByRole('link')).toHaveLength(1)
})

test('only a shop that is registered for VAT speaks of tax', async () => {
  settings.rates = { ...rates, vatRegistered: true, taxRate: 13 }
  const { unmount } = await renderInShop(<AboutPage />)
  expect(screen.getByText(/Tax is 13% of the subtotal/)).toBeInTheDocument()
  unmount()
  settings.rates = { ...rates, vatRegistered: false, taxRate: 13 }
  await renderInShop(<AboutPage />)
  expect(screen.queryByText(/tax/i)).toBeNull()
})
