import type { Page } from '@playwright/test'
import { expect, open, test } from '../support/shop.ts'

const LOST = /net::ERR_FAILED/

/** Files of this name fail to load the first `times` times. */
async function lose(page: Page, files: string, times: number) {
  let asked = 0
  await page.route(files, (route) => {
    asked += 1
    return asked > times ? route.continue() : route.abort()
  })
  return () => asked
}

const toCart = (page: Page) => page.getByRole('banner').locator('.cart-link').click()

test('scripts and style sheets that do not come at first are asked for again, and the page is whole', async ({
  page,
  allowConsole,
}) => {
  allowConsole(LOST)
  const first = await lose(page, '**/assets/index-*.css', 1)
  await open(page, '/products')
  await expect
    .poll(() => page.locator('.site-header').evaluate((header) => getComputedStyle(header).position))
    .toBe('sticky')
  expect(first()).toBeGreaterThan(1)

  await page.locator('main article.card[data-stock="in"] .add').first().click()
  const script = await lose(page, '**/assets/cart-page-*.js', 1)
  const style = await lose(page, '**/assets/cart-page-*.css', 1)
  await toCart(page)
  await expect(page.getByTestId('cart-line')).toHaveCount(1)
  await expect
    .poll(() => page.locator('.order-bar').evaluate((bar) => getComputedStyle(bar).position))
    .toBe('fixed')
  expect(script()).toBeGreaterThan(1)
  expect(style()).toBeGreaterThan(1)
})

test('a page whose script never comes says so and offers a reload', async ({ page, allowConsole }) => {
  allowConsole(LOST, /did not come/)
  await open(page, '/about')
  await lose(page, '**/assets/cart-page-*.js', 99)
  await toCart(page)
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible({
    // The file is requested several times, with pauses, before a message appears.
    timeout: 60_000,
  })
  await page.unroute('**/assets/cart-page-*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
})
