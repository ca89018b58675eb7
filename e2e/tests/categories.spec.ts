import type { Page } from '@playwright/test'
import { allCategories, allProducts } from '../support/api.ts'
import { BARE } from '../support/database.ts'
import { cardNames, expect, goTo, hold, NOT_FOUND, open, test } from '../support/shop.ts'

const explore = (page: Page, slug: string) =>
  page.locator(`article.category-card a[href="/category/${slug}"]`)

// spec: 2.categories.1, 2.categories.2, 2.categories.4, 2.categories.5, 6.visitor.1
test('each category card has picture, icon, name, description, count and Explore Category', async ({
  page,
}) => {
  const categories = await allCategories()
  await open(page, '/categories')
  await expect(page.getByRole('heading', { level: 1, name: 'Shop by Category' })).toBeVisible()
  const all = page.locator('article.category-card')
  await expect(all).toHaveCount(categories.length)
  for (const [index, category] of categories.entries()) {
    const card = all.nth(index)
    await expect(card.getByRole('heading', { level: 2 })).toHaveText(category.name)
    await expect(card.locator('.category-text')).toHaveText(
      category.description || 'No description available.',
    )
    await expect(card).toContainText(`Total Products: ${category.totalproducts}`)
    await expect(card.getByRole('link')).toHaveAttribute('href', `/category/${category.slug}`)
    await expect(card.getByRole('link')).toContainText('Explore Category')
    await expect(card.locator('.picture')).toHaveCount(1)
    if (category.slug !== BARE.slug) {
      await expect(card.getByRole('img', { name: category.name })).toHaveCount(1)
      await expect(card.locator('.category-icon')).toHaveCount(1)
    }
  }
})

test('Explore Category names its category to screen readers', async ({ page }) => {
  await open(page, '/categories')
  await expect(explore(page, 'rice-grains')).toHaveAccessibleName('Explore Category: Rice & Grains')
})

// spec: 2.categories.3
test("a category without description says 'No description available.'", async ({ page }) => {
  await open(page, '/categories')
  const card = page
    .locator('article.category-card')
    .filter({ has: page.getByRole('heading', { name: BARE.name }) })
  await expect(card).toContainText('No description available.')
  await expect(card).toContainText('Total Products: 0')
})

// spec: 2.categories.5, 2.category.3, 2.category.4, 2.category.5
test("Explore Category opens the category: banner, breadcrumb and only that category's products", async ({
  page,
}) => {
  const [first] = await allCategories()
  if (!first) throw new Error('no category')
  const expected = await allProducts({ category: first.slug })
  expect(expected.length).toBe(first.totalproducts)
  await open(page, '/categories')
  await explore(page, first.slug).click()
  await expect(page).toHaveURL(`/category/${first.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: first.name })).toBeVisible()
  await expect(page.locator('.banner')).toContainText(first.description)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
  await expect(crumbs).toHaveText(['Home', 'Categories', first.name])
  await expect(crumbs.locator('a')).toHaveCount(2)
  await expect(crumbs.last().locator('[aria-current=page]')).toHaveCount(1)
  await expect(page).toHaveTitle(`${first.name} – Thunse`)
  expect(await cardNames(page.getByRole('main'))).toEqual(expected.map(({ name }) => name))
  for (const { category } of expected) expect(category).toBe(first.name)
})

// spec: 2.category.1, 5.search.7
test('a slug in upper case opens the same category', async ({ page }) => {
  const expected = await allProducts({ category: 'rice-grains' })
  const answer = await page.goto('/category/RICE-Grains')
  expect(answer?.ok()).toBe(true)
  await expect(page.getByRole('heading', { level: 1, name: 'Rice & Grains' })).toBeVisible()
  await expect.poll(() => cardNames(page.getByRole('main'))).toEqual(expected.map(({ name }) => name))
})

test('a category with more than one page grows with Load more', async ({ page }) => {
  const big = (await allCategories()).toSorted((a, b) => b.totalproducts - a.totalproducts)[0]
  if (!big) throw new Error('no category')
  const expected = await allProducts({ category: big.slug })
  // The demo shop's shelves fit on one page, so the server is asked for small ones.
  await page.route('**/api/product/get_products?*', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '8')
    return route.continue({ url: url.href })
  })
  await open(page, '/categories')
  await explore(page, big.slug).click()
  await expect(page.locator('main article.card')).toHaveCount(8)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.locator('main article.card')).toHaveCount(16)
  expect(await cardNames(page.getByRole('main'))).toEqual(expected.slice(0, 16).map(({ name }) => name))
})

// spec: 2.category.6
test("a category without products says 'No products found in this category.'", async ({ page }) => {
  await open(page, `/category/${BARE.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: BARE.name })).toBeVisible()
  await expect(page.getByText('No products found in this category.')).toBeVisible()
  await expect(page.locator('main article.card')).toHaveCount(0)
})

// spec: 2.category.2
test("an unknown category says 'Category Not Found' and links back to the categories", async ({
  page,
  allowConsole,
}) => {
  allowConsole(NOT_FOUND)
  const answer = await page.goto('/category/nope')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1, name: 'Category Not Found' })).toBeVisible()
  await expect(page).toHaveTitle('Category Not Found – Thunse')
  await page.getByRole('main').getByRole('link', { name: 'Back to Categories' }).click()
  await expect(page).toHaveURL('/categories')
  await expect(page.getByRole('heading', { level: 1, name: 'Shop by Category' })).toBeVisible()
})

test("'Category Not Found' never shows while the categories are still loading", async ({ page }) => {
  // Home is left out of the way: /about brings no categories, so the next page has to ask for them.
  await open(page, '/about')
  const { release, asked } = await hold(page, '**/api/category/get_category_public')
  await page.evaluate(() => {
    const seen = new Set<string>()
    Object.assign(window, { headingsSeen: seen })
    new MutationObserver(() => {
      for (const heading of document.querySelectorAll('main h1, main h2')) seen.add(heading.textContent ?? '')
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  // A real link inside the app would need the categories; the address of one is enough.
  await page.evaluate(() => {
    history.pushState({}, '', '/category/rice-grains')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.locator('main [aria-busy=true]')).toBeVisible()
  expect(asked()).toBeGreaterThan(0)
  await expect(page.getByText('Category Not Found')).toHaveCount(0)
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Rice & Grains' })).toBeVisible()
  const seen = await page.evaluate(() => [
    ...(window as unknown as { headingsSeen: Set<string> }).headingsSeen,
  ])
  expect(seen).toContain('Rice & Grains')
  expect(seen).not.toContain('Category Not Found')
})

test('the categories are reached from the header', async ({ page }) => {
  await open(page, '/')
  await goTo(page, 'Categories')
  await expect(page.getByRole('heading', { level: 1, name: 'Shop by Category' })).toBeVisible()
})
