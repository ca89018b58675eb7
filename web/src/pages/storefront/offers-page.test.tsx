import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OffersPage } from '@/pages/storefront/offers-page'
import { renderInShop } from '@/test/render-in-shop'

// spec: 2.offers.1, 2.offers.2, 2.offers.3
test('the offers page announces the mega offer, lists no offer and leads to the products', async () => {
  await renderInShop(<OffersPage />)
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent("Today's Best Offers & Deals")
  expect(screen.getByText('Mega Offer Are Coming Soon!')).toBeInTheDocument()
  expect(screen.queryByRole('article')).toBeNull()
  expect(screen.getByRole('link', { name: 'Explore Products' })).toHaveAttribute('href', '/products')
  expect(screen.getByRole('textbox', { name: 'Email address' })).toBeInTheDocument()
  expect(document.title).toBe('Offers – Thunse')
})
