import type { Page } from '@playwright/test'
import { allCategories, allProducts, productPage } from '../support/api.ts'
import { cardNames, expect, hold, listen, open, section, test } from '../support/shop.ts'

const header = (page: Page) => page.getByPlaceholder('Search products...')
const filter = (page: Page) => page.getByLabel('Filter products by name')
const results = (page: Page) => page.locator('main ul.product-grid').first()

// spec: 2.header.15
test('an empty search stays where it is and keeps the focus', async ({ page }) => {
  await open(page, '/')
  await header(page).focus()
  await header(page).press('Enter')
  await header(page).fill('   ')
  await header(page).press('Enter')
  await expect(page).toHaveURL('/')
  await expect(header(page)).toBeFocused()
})

// spec: 2.header.14, 2.products.2, 5.search.1, 6.visitor.1
test('a search finds exactly the products whose name contains the text, in any case', async ({ page }) => {
  // The rule is applied here by hand to the whole catalogue, so that the server's search is tested too.
  const expected = (await allProducts())
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes('oil'))
  expect(expected.length).toBeGreaterThan(3)
  await open(page, '/')
  await header(page).fill('OIL')
  await header(page).press('Enter')
  await expect(page).toHaveURL('/products?search=OIL')
  await expect(page.getByRole('status').filter({ hasText: /^\d+ products$/ })).toHaveText(
    `${expected.length} products`,
  )
  expect(await cardNames(results(page))).toEqual(expected)
  await expect(filter(page)).toHaveValue('OIL')
  for (const mark of await results(page).locator('mark').allTextContents())
    expect(mark.toLowerCase()).toBe('oil')
})

// spec: 2.products.2, 5.search.2
test('clearing the filter shows all products again', async ({ page }) => {
  const all = await productPage()
  await open(page, '/products?search=oil')
  expect((await cardNames(results(page))).length).toBeLessThan(24)
  await filter(page).fill('')
  await expect(page).toHaveURL('/products')
  await expect(page.getByRole('status').filter({ hasText: /^\d+ products$/ })).toHaveText(
    `${all.total} products`,
  )
  await expect(results(page).locator('article.card')).toHaveCount(24)
  expect(await cardNames(results(page))).toEqual(all.data.slice(0, 24).map(({ name }) => name))
})

test('a text no name contains says so, offers categories, and Clear search brings everything back', async ({
  page,
}) => {
  await open(page, '/products')
  await filter(page).fill('xyzzy')
  await expect(page.getByRole('heading', { name: 'No products match "xyzzy"' })).toBeVisible()
  await expect(page.locator('main article.card')).toHaveCount(0)
  await expect(section(page, 'Or look in a category').getByRole('link')).toHaveCount(4)
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect(page).toHaveURL('/products')
  await expect(filter(page)).toHaveValue('')
  await expect(results(page).locator('article.card')).toHaveCount(24)
})

test('typing in the filter neither scrolls nor moves the focus, and leaves no trail in the history', async ({
  page,
}) => {
  await open(page, '/about')
  await open(page, '/products')
  await page.evaluate(() => window.scrollTo(0, 40))
  await filter(page).click()
  const before = await page.evaluate(() => window.scrollY)
  await page.keyboard.type('rice', { delay: 60 })
  await expect(page).toHaveURL('/products?search=rice')
  await expect(page.getByRole('status').filter({ hasText: /^\d+ products$/ })).toHaveText('10 products')
  await expect(filter(page)).toBeFocused()
  await expect(filter(page)).toHaveValue('rice')
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
  await page.keyboard.press('Escape')
  await expect(filter(page)).toHaveValue('')
  await expect(page).toHaveURL('/products')
  await page.goBack()
  await expect(page).toHaveURL('/about')
})

test('a letter typed while the answer to the one before is on its way is not lost', async ({ page }) => {
  await open(page, '/products')
  const { release } = await hold(page, '**/api/product/get_products?*')
  const asked = page.waitForRequest(/search=r$/)
  await filter(page).pressSequentially('r')
  await asked
  await filter(page).pressSequentially('i')
  release()
  await filter(page).pressSequentially('ce')
  await expect(page).toHaveURL('/products?search=rice')
  await expect(filter(page)).toHaveValue('rice')
})

test('the address is the search: opening it shows the results', async ({ page }) => {
  await open(page, '/products?search=dal')
  const expected = (await allProducts())
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes('dal'))
  expect(await cardNames(results(page))).toEqual(expected)
  await expect(header(page)).toHaveValue('dal')
})

for (const [kind, text] of [
  ['Romanised', 'chamal'],
  ['Nepali', 'चामल'],
  ['misspelt', 'basmti'],
]) {
  test(`a ${kind} word (${text}) finds the rice under Similar products`, async ({ page }) => {
    await open(page, '/')
    await header(page).fill(text ?? '')
    await header(page).press('Enter')
    const similar = section(page, 'Similar products')
    await expect(similar).toBeVisible()
    expect(await cardNames(similar)).toContain('Basmati Rice')
  })
}

test('a plain match comes before the similar ones, which have a heading of their own', async ({ page }) => {
  const { data, similar } = await productPage({ search: 'oil', limit: '24' })
  await open(page, '/products?search=oil')
  const found = await cardNames(page.getByRole('main'))
  expect(found).toEqual([...data, ...similar].map(({ name }) => name))
  if (similar.length > 0)
    expect(await cardNames(section(page, 'Similar products'))).toEqual(similar.map(({ name }) => name))
})

test('text that looks like markup or a pattern is only text', async ({ page }) => {
  const asked = listen(page, '/api/product/get_products')
  await open(page, '/products')
  await filter(page).fill('<b>%_')
  await expect(page.getByRole('main').getByText('"<b>%_"')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '0 products' })).toHaveCount(1)
  expect(asked.length).toBeGreaterThan(0)
})

test('products sort by name, price and rating', async ({ page }) => {
  const all = await allProducts()
  await open(page, '/products')
  const sort = page.getByLabel('Sort')
  const prices = () =>
    results(page)
      .locator('.price')
      .allTextContents()
      .then((texts) => texts.map((text) => Number(text.replace(/Rs\. |,/g, ''))))
  const cheapest = all.map(({ price }) => price).sort((a, b) => a - b)

  await sort.selectOption('Price: low to high')
  await expect(page).toHaveURL('/products?sort=price_asc')
  await expect.poll(prices).toEqual(cheapest.slice(0, 24))
  await sort.selectOption('Price: high to low')
  await expect.poll(prices).toEqual(cheapest.toReversed().slice(0, 24))
  await sort.selectOption('Name')
  const byName = all.map(({ name }) => name.toLowerCase()).sort()
  await expect
    .poll(async () => (await cardNames(results(page))).map((name) => name.toLowerCase()))
    .toEqual(byName.slice(0, 24))
  await sort.selectOption('Rating')
  const rated = await productPage({ sort: 'rating', limit: '24' })
  await expect.poll(() => cardNames(results(page))).toEqual(rated.data.map(({ name }) => name))
  await sort.selectOption('Featured')
  await expect(page).toHaveURL('/products')
})

// spec: 2.products.1, 6.visitor.1
test('Load more brings the next products without losing the place, until all are there', async ({ page }) => {
  const all = await allProducts()
  await open(page, '/products')
  const more = page.getByRole('button', { name: 'Load more' })
  for (let shown = 24; shown < all.length; shown = Math.min(shown + 24, all.length)) {
    await expect(results(page).locator('article.card')).toHaveCount(shown)
    await more.click()
  }
  await expect(results(page).locator('article.card')).toHaveCount(all.length)
  await expect(more).toHaveCount(0)
  expect(await cardNames(results(page))).toEqual(all.map(({ name }) => name))
})

test('a category chip narrows the list and keeps the search', async ({ page }) => {
  const [, second] = await allCategories()
  if (!second) throw new Error('no second category')
  await open(page, '/products?search=a')
  await page
    .getByRole('navigation', { name: 'Categories' })
    .getByRole('link', { name: second.name, exact: true })
    .click()
  await expect(page).toHaveURL(`/products?search=a&category=${second.slug}`)
  const expected = (await allProducts({ category: second.slug }))
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes('a'))
  await expect.poll(() => cardNames(results(page))).toEqual(expected)
})
