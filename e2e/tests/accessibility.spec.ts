import { expect, goTo, ON_PHONE, open, test } from '../support/shop.ts'

// What every screen must be in every state is looked at by `npm run look`; here is what happens between two of them.

test('A6: after a route change title and h1 are new, the h1 has the focus and the page is at the top', async ({
  page,
}) => {
  await open(page, '/')
  for (const [link, heading, title] of [
    ['Products', 'Products', 'Products – Thunse'],
    ['Offers', "Today's Best Offers & Deals", 'Offers – Thunse'],
    ['Categories', 'Shop by Category', 'Shop by Category – Thunse'],
  ] as const) {
    await page.evaluate(() => window.scrollTo(0, 500))
    await goTo(page, link)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
    await expect(page).toHaveTitle(title)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await expect(page.locator('[role=status].sr-only').filter({ hasText: title })).toHaveCount(1)
  }
})

test('A9: both live regions stand in the page before the first message', ON_PHONE, async ({ page }) => {
  await open(page, '/')
  await expect(page.locator('.toaster [role=status]')).toHaveCount(1)
  await expect(page.locator('.toaster [role=alert]')).toHaveCount(1)
})
