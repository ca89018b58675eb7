import type { Page, Route } from '@playwright/test'
import { productPage } from '../support/api.ts'
import { BROKEN, expect, goTo, hold, open, test, toast } from '../support/shop.ts'

const WAYS: {
  way: string
  answer: (route: Route) => Promise<void>
  kind: 'Failed to fetch' | 'Error fetching'
}[] = [
  {
    way: 'an unsuccessful answer',
    answer: (route) => route.fulfill({ json: { success: false, message: 'no' } }),
    kind: 'Failed to fetch',
  },
  { way: 'a broken connection', answer: (route) => route.abort(), kind: 'Error fetching' },
  {
    way: 'a server error',
    answer: (route) =>
      route.fulfill({ status: 500, json: { success: false, code: 'internal', message: 'no' } }),
    kind: 'Error fetching',
  },
]

/** The first page brings its data along, so the calls are made to fail on the way to the next page. */
async function failing(page: Page, call: string, answer: (route: Route) => Promise<void>) {
  await open(page, '/about')
  let asked = 0
  await page.route(call, (route) => {
    asked += 1
    return answer(route)
  })
  return () => asked
}

for (const { way, answer, kind } of WAYS) {
  // spec: 7.answers.1, 8.session.3, 8.session.4
  test(`${way} for the products: '${kind} products.', and Try again loads them`, async ({
    page,
    allowConsole,
  }) => {
    allowConsole(BROKEN)
    const asked = await failing(page, '**/api/product/get_products?*', answer)
    await goTo(page, 'Products')
    await toast(page, `${kind} products.`)
    expect(asked()).toBeGreaterThan(0)
    await expect(page.getByRole('main').getByText('We could not load the products.')).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    const { data } = await productPage({ limit: '24' })
    await expect(page.locator('main article.card')).toHaveCount(data.length)
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  })

  // spec: 7.answers.1, 8.session.5, 8.session.6
  test(`${way} for the categories: '${kind} categories.', and Try again loads them`, async ({
    page,
    allowConsole,
  }) => {
    allowConsole(BROKEN)
    const asked = await failing(page, '**/api/category/get_category_public', answer)
    await goTo(page, 'Categories')
    await toast(page, `${kind} categories.`)
    expect(asked()).toBeGreaterThan(0)
    await expect(page.getByRole('main').getByText('We could not load the categories.')).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.locator('article.category-card').first()).toBeVisible()
  })
}

test('a Try again that fails again keeps the focus where it was', async ({ page, allowConsole }) => {
  allowConsole(BROKEN)
  const asked = await failing(page, '**/api/product/get_products?*', (route) =>
    route.fulfill({ json: { success: false, message: 'no' } }),
  )
  await goTo(page, 'Products')
  const again = page.getByRole('button', { name: 'Try again' })
  await again.focus()
  const before = asked()
  await page.keyboard.press('Enter')
  await expect.poll(asked).toBeGreaterThan(before)
  await expect(again).toBeFocused()
})

test('on the home page both parts fail on their own: categories fail, products still show', async ({
  page,
  allowConsole,
}) => {
  allowConsole(BROKEN)
  await failing(page, '**/api/category/get_category_public', (route) => route.abort())
  await goTo(page, 'Home')
  await toast(page, 'Error fetching categories.')
  await expect(page.locator('main article.card').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1)
})

test('a product page whose call breaks offers Try again instead of saying that there is no such product', async ({
  page,
  allowConsole,
}) => {
  allowConsole(BROKEN)
  await open(page, '/products')
  await page.route('**/api/product/get_product/*', (route) => route.abort())
  const first = page.locator('main article.card').first().getByRole('link')
  const name = (await first.textContent()) ?? ''
  await first.click()
  await toast(page, 'Error fetching products.')
  await expect(page.getByText('Product not found')).toHaveCount(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('a slow answer shows skeletons, and after eight seconds says that it is still loading', async ({
  page,
}) => {
  await page.clock.install()
  await open(page, '/about')
  const { release } = await hold(page, '**/api/product/get_products?*')
  await goTo(page, 'Products')
  await expect(page.locator('main [aria-busy=true]')).toBeVisible()
  await expect(page.getByText('Still loading. Your connection may be slow.')).toHaveCount(0)
  await page.clock.fastForward(8100)
  await expect(page.getByText('Still loading. Your connection may be slow.')).toBeVisible()
  release()
  await expect(page.locator('main article.card')).toHaveCount(24)
})
