import { allCategories, priceTag, productPage } from '../support/api.ts'
import { cardNames, expect, goTo, inNepali, open, section, test } from '../support/shop.ts'

// spec: 2.home.1, 2.home.2
test('the hero welcomes to Thunse and Shop Now leads to the products', async ({ page }) => {
  await open(page, '/')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeVisible()
  await expect(page).toHaveTitle('Nepali groceries online – Thunse')
  await page.getByRole('link', { name: 'Shop Now' }).click()
  await expect(page).toHaveURL('/products')
})

// spec: 2.home.3
test('the category grid shows one tile for each category, in the order of the API', async ({ page }) => {
  const categories = await allCategories()
  await open(page, '/')
  const tiles = section(page, 'Categories').getByRole('listitem').getByRole('link')
  await expect(tiles.locator('.tile-name')).toHaveText(categories.map(({ name }) => name))
  for (const [index, { slug }] of categories.entries()) {
    await expect(tiles.nth(index)).toHaveAttribute('href', `/category/${slug}`)
    await expect(tiles.nth(index)).toBeVisible()
  }
})

// spec: 2.home.4, 2.home.5, 9.const.1, 9.const.10
test('Featured Essentials are the first six products with prices in Rs., and Load More Products leads to all', async ({
  page,
}) => {
  const { data } = await productPage()
  const six = data.slice(0, 6)
  await open(page, '/')
  const featured = section(page, 'Featured Essentials')
  expect(await cardNames(featured)).toEqual(six.map(({ name }) => name))
  await expect(featured.locator('.price')).toHaveText(six.map(priceTag))
  await featured.getByRole('link', { name: 'Load More Products' }).click()
  await expect(page).toHaveURL('/products')
  await expect(page.getByRole('heading', { level: 1, name: 'Products' })).toBeVisible()
})

// spec: 2.home.8
test('the list of all products is on the home page too and grows until it holds every product', async ({
  page,
}) => {
  const { total } = await productPage()
  await open(page, '/')
  const all = section(page, 'All products')
  const names = all.locator('article.card')
  await expect(names).toHaveCount(24)
  const more = all.getByRole('button', { name: 'Show more' })
  for (let shown = 24; shown < total; shown = Math.min(shown + 24, total)) {
    await expect(names).toHaveCount(shown)
    await more.click()
  }
  await expect(names).toHaveCount(total)
  await expect(more).toHaveCount(0)
  const links = await all
    .locator('article.card h3 a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  expect(new Set(links).size, 'no product twice').toBe(total)
})

for (const lang of ['en', 'ne']) {
  test(`whoever jumps to the end of the page finds nothing moving there (${lang})`, async ({ page }) => {
    if (lang === 'ne') await inNepali(page)
    await open(page, '/')
    const moved = await page.evaluate(async () => {
      const last = document.querySelector('footer a[href="/about"]')
      if (!last) throw new Error('no footer')
      const top = () => last.getBoundingClientRect().top
      last.scrollIntoView({ block: 'end' })
      const found = top()
      for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
      return Math.abs(top() - found)
    })
    expect(moved).toBeLessThan(2)
  })
}

test('arriving products take the very room that was kept for them', async ({ page }) => {
  await open(page, '/about')
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/product/get_products*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await goTo(page, 'Products')
  const height = async (part: string) =>
    (await page.locator(`.product-grid${part} > li`).first().boundingBox())?.height ?? 0
  const kept = await height('[aria-hidden]')
  expect(kept).toBeGreaterThan(200)
  answer.resolve()
  await expect(page.locator('article.card').first()).toBeVisible()
  expect(Math.abs((await height('')) - kept)).toBeLessThan(1)
})

// spec: 2.home.7, 9.const.12
test('the ad slot keeps its place from the start and starts 800 ms after load', async ({ page }) => {
  await page.clock.install({ time: new Date('2026-11-15T10:00:00Z') })
  await page.clock.pauseAt(new Date('2026-11-15T10:00:01Z'))
  await page.goto('/')
  // React starts after the first frame, and with this clock frames come only when asked for.
  await expect(async () => {
    await page.clock.runFor(20)
    expect(await page.locator('.toaster').count()).toBe(1)
  }).toPass({ intervals: [10] })
  const ad = page.getByTestId('ad-slot')
  await expect(ad).toHaveAttribute('data-started', 'false')
  const before = await ad.boundingBox()
  await page.clock.runFor(700)
  await expect(ad).toHaveAttribute('data-started', 'false')
  await expect(ad.getByRole('link')).toHaveCount(0)
  await page.clock.runFor(200)
  await expect(ad).toHaveAttribute('data-started', 'true')
  await expect(ad.getByRole('link')).toBeVisible()
  expect(await ad.boundingBox()).toEqual(before)
})
