import type { Page } from '@playwright/test'
import { product, productPath } from '../support/api.ts'
import { avatar, expect, isPhone, open, test } from '../support/shop.ts'

const LINKS = { Home: '/', Products: '/products', Categories: '/categories', Offers: '/offers' }

/** All that the bar of a shopper's page holds; on a phone the links are behind its button. */
async function wholeHeader(page: Page) {
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Thunse' })).toHaveAttribute('href', '/')
  if (isPhone(page)) await expect(header.getByRole('button', { name: 'Open menu' })).toBeVisible()
  else
    for (const [name, path] of Object.entries(LINKS))
      await expect(header.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
  await expect(page.getByPlaceholder('Search products...')).toHaveCount(1)
  await expect(header.getByRole('link', { name: /^Cart/ })).toHaveAttribute('href', '/cart')
  await expect(page.getByRole('contentinfo')).toHaveCount(1)
}

// spec: 2.routes.1, 2.header.1, 2.header.7
test('every address that a visitor may open has its own page under the whole header', async ({ page }) => {
  test.slow()
  const shown = await product(({ stock }) => stock > 10)
  for (const [path, heading] of [
    ['/', 'Welcome to Thunse'],
    ['/categories', 'Shop by Category'],
    ['/products', 'Products'],
    ['/offers', "Today's Best Offers & Deals"],
    ['/orders', 'My Orders'],
    ['/cart', 'Your cart is empty'],
    [productPath(shown), shown.name],
    [`/category/${shown.categorySlug}`, shown.category],
    ['/payment', 'Payment cancelled'],
    ['/about', 'About Thunse'],
  ] as const) {
    await open(page, path)
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await wholeHeader(page)
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  }
  await open(page, '/seller')
  await expect(page.getByRole('main').getByLabel('Password', { exact: true })).toBeVisible()
})

// spec: 2.routes.1, 2.header.1, 2.header.8
test('so have those of somebody signed in, whose name is in the place of Login', async ({
  page,
  shopper,
}) => {
  for (const [path, heading] of [
    ['/profile', 'Profile'],
    ['/add_address', 'Add an address'],
    ['/orders', 'My Orders'],
  ] as const) {
    await open(page, path)
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await wholeHeader(page)
    await expect(avatar(page, shopper)).toBeVisible()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toHaveCount(0)
  }
})
