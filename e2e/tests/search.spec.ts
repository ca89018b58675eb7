import type { Page } from '@playwright/test'
import { product } from '../support/api.ts'
import { ownProducts } from '../support/goods.ts'
import { cardNames, expect, open, test } from '../support/shop.ts'

const header = (page: Page) => page.getByPlaceholder('Search products...')
const filter = (page: Page) => page.getByLabel('Filter products by name')
const results = (page: Page) => page.locator('main ul.product-grid').first()

// spec: 2.header.14, 2.products.2, 5.search.1, 5.search.2, 6.visitor.1
test('a search finds the products whose name contains the text, in any case, and clearing it shows all', async ({
  page,
}) => {
  const { word, products } = await ownProducts(['Mustard Oil', 'Sunflower Oil'])
  await open(page, '/')
  await header(page).fill(`OIL ${word.toUpperCase()}`)
  await header(page).press('Enter')
  await expect(page).toHaveURL(`/products?search=OIL+${word.toUpperCase()}`)
  await expect(page.getByRole('status').filter({ hasText: /^2 products$/ })).toBeVisible()
  expect((await cardNames(results(page))).sort()).toEqual(products.map(({ name }) => name))
  const marks = await results(page).locator('mark').allTextContents()
  expect(marks.map((mark) => mark.toLowerCase())).toEqual([`oil ${word}`, `oil ${word}`])
  await expect(filter(page)).toHaveValue(`OIL ${word.toUpperCase()}`)

  await filter(page).fill('')
  await expect(page).toHaveURL('/products')
  await expect(results(page).locator('article.card')).toHaveCount(24)
})

test('a Romanised word and a Nepali word find the rice, in either language of the shop', async ({ page }) => {
  const rice = await product(({ name }) => name === 'Basmati Rice')
  await open(page, '/')
  await header(page).fill('chamal')
  await header(page).press('Enter')
  await expect.poll(() => cardNames(results(page))).toContain(rice.name)
  await expect(page.getByText('No exact match')).toHaveCount(0)

  await page.getByRole('button', { name: 'नेपालीमा हेर्नुहोस्' }).click()
  const box = page.getByPlaceholder('सामान खोज्नुहोस्...')
  await box.fill('चामल')
  await box.press('Enter')
  await expect(page).toHaveURL(`/products?search=${encodeURIComponent('चामल')}`)
  await expect.poll(() => cardNames(results(page))).toContain(rice.nameNe)
})

test('typing in the filter neither scrolls nor moves the focus, and leaves no trail in the history', async ({
  page,
}) => {
  await open(page, '/about')
  await open(page, '/products')
  await page.evaluate(() => window.scrollTo(0, 40))
  await filter(page).click()
  const before = await page.evaluate(() => window.scrollY)
  await page.keyboard.type('rice')
  await expect(page).toHaveURL('/products?search=rice')
  await expect.poll(() => results(page).locator('mark').count()).toBeGreaterThan(0)
  await expect(filter(page)).toBeFocused()
  await expect(filter(page)).toHaveValue('rice')
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
  await page.keyboard.press('Escape')
  await expect(filter(page)).toHaveValue('')
  await expect(page).toHaveURL('/products')
  await page.goBack()
  await expect(page).toHaveURL('/about')
})

// spec: 2.header.12, 2.header.13, 2.header.14
test('on a small screen the links and the search are behind a hamburger; Login and cart stay outside', async ({
  page,
}) => {
  const { word, products } = await ownProducts(['Red Lentils'])
  await open(page, '/')
  const bar = page.getByRole('banner')
  const links = ['Home', 'Products', 'Categories', 'Offers']
  for (const name of links) await expect(bar.getByRole('link', { name, exact: true })).toBeHidden()
  await expect(bar.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(bar.getByRole('link', { name: /^Cart/ })).toBeVisible()

  await page.getByRole('button', { name: 'Open menu' }).click()
  const sheet = page.getByRole('dialog', { name: 'Menu' })
  for (const name of links) await expect(sheet.getByRole('link', { name, exact: true })).toBeVisible()
  const box = sheet.getByPlaceholder('Search products...')
  await expect(box).toBeVisible()
  await expect(page.getByPlaceholder('Search products...')).toHaveCount(1)
  await box.fill(word)
  await box.press('Enter')
  await expect(page).toHaveURL(`/products?search=${word}`)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => cardNames(results(page))).toEqual(products.map(({ name }) => name))
})
