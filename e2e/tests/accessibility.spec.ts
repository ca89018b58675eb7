import { axeProblems } from '../support/axe.ts'
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

test(
  'a control under the bar that stays is no finding, one that is too small is',
  ON_PHONE,
  async ({ page }) => {
    await open(page, '/products')
    const headerEnds = await page
      .locator('.site-header')
      .evaluate((header) => header.getBoundingClientRect().bottom)
    const plant = (size: number) =>
      page.evaluate(
        ([size, headerEnds]) => {
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
          const half = row.firstElementChild?.getBoundingClientRect()
          window.scrollTo({
            top: window.scrollY + (half?.top ?? 0) + size / 2 - headerEnds,
            behavior: 'instant',
          })
        },
        [size, headerEnds] as const,
      )
    await plant(40)
    expect(await axeProblems(page)).toEqual([])
    await plant(12)
    expect(await axeProblems(page)).toEqual([expect.stringMatching(/^axe: target-size: .*planted/)])
  },
)
