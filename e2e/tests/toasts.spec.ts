import type { Page } from '@playwright/test'
import { sellerSession } from '../support/seller.ts'
import { PRODUCTS } from '../support/seller-catalogue.ts'
import { BROKEN, expect, loginDialog, ON_BOTH, open, overlaps, test } from '../support/shop.ts'

const card = (page: Page) => page.getByTestId('toast').first()

/** Rests the pointer on the toast, which then stays, however slow the machine is. */
async function rest(page: Page) {
  await expect(card(page)).toBeVisible()
  await page.locator('.toaster').dispatchEvent('pointerover')
}

/** The centre of the toast, relative to the window. */
const place = (page: Page) =>
  card(page).evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return {
      across: (x + width / 2) / document.documentElement.clientWidth,
      down: (y + height / 2) / innerHeight,
    }
  })

// spec: 2.shell.4
test(
  'toasts are at the top in the centre, at the foot of the seller’s pages, and cover no heading',
  ON_BOTH,
  async ({ page, context, allowConsole }) => {
    allowConsole(/status of 401/, BROKEN)
    await open(page, '/products')
    // The heading is as wide as its page, so its text is measured.
    await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
      heading.style.width = 'fit-content'
    })
    await page.locator('main article.card[data-stock="in"] .add').first().click()
    await rest(page)
    const top = await place(page)
    expect(top.across).toBeCloseTo(0.5, 1)
    expect(top.down).toBeLessThan(0.25)
    expect(await overlaps(card(page), page.getByRole('heading', { level: 1 }))).toBe(false)

    await open(page, '/about')
    const dialog = await loginDialog(page)
    await dialog.getByLabel('Email').fill('nobody@example.com')
    await dialog.getByLabel('Password', { exact: true }).fill('wrong-momo-2083')
    await dialog.getByRole('button', { name: 'Login' }).last().click()
    await rest(page)
    await expect(card(page)).toContainText('Wrong email or password.')
    expect(await overlaps(card(page), dialog.getByRole('heading', { name: 'Login' }))).toBe(false)
    expect(await overlaps(card(page), dialog.locator('.segments'))).toBe(false)
    await dialog.locator('.segments').getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByTestId('toast')).toHaveCount(0)

    await (await sellerSession()).enter(context)
    await page.route(`**${PRODUCTS}?*`, (route) => route.abort())
    await open(page, '/seller')
    await rest(page)
    const foot = await place(page)
    expect(foot.across).toBeCloseTo(0.5, 1)
    expect(foot.down).toBeGreaterThan(0.75)
  },
)
