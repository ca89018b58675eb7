import { allProducts } from '../support/api.ts'
import { cardNames, expect, ON_PHONE, open, test } from '../support/shop.ts'

// spec: 2.header.12, 2.header.13
test(
  'the links hide in a hamburger that also holds the one search box; Login and cart stay outside',
  ON_PHONE,
  async ({ page }) => {
    await open(page, '/')
    const header = page.getByRole('banner')
    for (const name of ['Home', 'Products', 'Categories', 'Offers']) {
      await expect(header.getByRole('link', { name, exact: true })).toBeHidden()
    }
    await expect(header.getByRole('button', { name: 'Login' })).toBeVisible()
    await expect(header.getByRole('link', { name: /^Cart/ })).toBeVisible()
    await expect(page.getByPlaceholder('Search products...')).toHaveCount(1)

    const hamburger = page.getByRole('button', { name: 'Open menu' })
    await expect(hamburger).toHaveAttribute('aria-expanded', 'false')
    await hamburger.click()
    const sheet = page.getByRole('dialog', { name: 'Menu' })
    for (const name of ['Home', 'Products', 'Categories', 'Offers']) {
      await expect(sheet.getByRole('link', { name, exact: true })).toBeVisible()
    }
    await expect(sheet.getByPlaceholder('Search products...')).toBeVisible()
    await expect(page.getByPlaceholder('Search products...')).toHaveCount(1)
  },
)

// spec: 2.header.13, 2.header.14
test(
  'a search from the hamburger goes to the filtered products and closes it',
  ON_PHONE,
  async ({ page }) => {
    const expected = (await allProducts({ search: 'rice' })).map(({ name }) => name)
    await open(page, '/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    const box = page.getByRole('dialog').getByPlaceholder('Search products...')
    await box.fill('rice')
    await box.press('Enter')
    await expect(page).toHaveURL('/products?search=rice')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect.poll(() => cardNames(page)).toEqual(expected)
  },
)

test('pressing a link of the page one is on also closes the hamburger', ON_PHONE, async ({ page }) => {
  await open(page, '/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
