import type { Page } from '@playwright/test'
import { expect, goTo, ON_DESKTOP, open, test } from '../support/shop.ts'

const PAGES = [
  { link: 'Products', path: '/products', heading: 'Products' },
  { link: 'Categories', path: '/categories', heading: 'Shop by Category' },
  { link: 'Home', path: '/', heading: 'Welcome to Thunse' },
  { link: 'Offers', path: '/offers', heading: "Today's Best Offers & Deals" },
]

async function scrollDown(page: Page) {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
}
const atTheTop = (page: Page) => expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)

// spec: 2.header.2, 2.header.3, 2.header.6, 2.shell.1, 2.shell.3, 6.visitor.4
test(
  'a page begins at the top by the links, the logo and the cart icon; going back to a list returns to its place',
  ON_DESKTOP,
  async ({ page }) => {
    await open(page, '/')
    for (const { link, path, heading } of PAGES) {
      await scrollDown(page)
      await goTo(page, link)
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
      await atTheTop(page)
      await expect(page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')).toHaveText(
        link,
      )
    }
    await scrollDown(page)
    await page.getByRole('banner').getByRole('link', { name: 'Thunse' }).click()
    await expect(page).toHaveURL('/')
    await atTheTop(page)
    await scrollDown(page)
    await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeVisible()
    await atTheTop(page)
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)

    const login = page.getByRole('banner').getByRole('button', { name: 'Login' })
    await login.click()
    await expect(page.getByRole('dialog').getByLabel('Password', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(login).toBeFocused()
  },
)
