import { axeProblems } from '../support/axe.ts'
import { expect, goTo, open, test } from '../support/shop.ts'

// `npm run visual-check` checks every screen in every state; these tests check the transitions between them.

test('after a route change title and h1 are new, the h1 has the focus and the page is at the top', async ({
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
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect(page.locator('[role=status].sr-only').filter({ hasText: title })).toHaveCount(1)
  }
})

test('the accessibility check finds a planted control that is too small, and not one under the header', async ({
  page,
}) => {
  await open(page, '/products')
  const plant = (size: number) =>
    page.evaluate((size) => {
      const row = document.createElement('p')
      row.id = 'planted'
      for (const name of ['One', 'Two']) {
        const button = document.createElement('button')
        button.textContent = name
        button.style.cssText = `width:${size}px;height:${size}px;padding:0;border:0;overflow:hidden;font-size:10px`
        row.append(button)
      }
      document.getElementById('planted')?.remove()
      document.querySelector('main')?.append(row)
      const headerEnds = document.querySelector('.site-header')?.getBoundingClientRect().bottom ?? 0
      const top = row.firstElementChild?.getBoundingClientRect().top ?? 0
      window.scrollTo({ top: window.scrollY + top + size / 2 - headerEnds, behavior: 'instant' })
    }, size)
  await plant(40)
  expect(await axeProblems(page)).toEqual([])
  await plant(12)
  expect(await axeProblems(page)).toEqual([expect.stringMatching(/^axe: target-size: .*planted/)])
})
