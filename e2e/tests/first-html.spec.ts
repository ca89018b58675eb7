import { ownProducts, pathOf } from '../support/goods.ts'
import { route } from '../support/routes.ts'
import { sellerSession } from '../support/seller.ts'
import { expect, holdApp, listen, open, reload, takenOver, test } from '../support/shop.ts'
import { dropTimers } from '../support/timers.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the first HTML has headings, products, prices and links, and the search works', async ({ page }) => {
    const { word, products } = await ownProducts(['Marpha Cider'], {
      description: 'Pressed in Mustang.',
      price: '525',
      stock: '6',
    })
    const [cider] = products
    if (!cider) throw new Error('no product was made')
    for (const name of ['home', 'products', 'category']) {
      const { path, heading } = await route(name)
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(page).toHaveTitle(/Thunse/)
      const card = page.locator('main article.card').first()
      await expect(card.getByRole('link').first()).toHaveAttribute('href', /^\/product\//)
      await expect(card.locator('.price')).toHaveText(/^Rs\. \d/)
      await expect(page.locator('header a[href="/categories"]')).toHaveCount(1)
    }

    await page.getByPlaceholder('Search products...').fill(word)
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL(`/products?search=${word}`)
    await expect(page.locator('main article.card h3')).toHaveText(cider.name)
    await page.locator('main article.card').getByRole('link').first().click()

    await expect(page).toHaveURL(pathOf(cider))
    await expect(page).toHaveTitle(`${cider.name} – Thunse`)
    await expect(page.getByRole('heading', { level: 1, name: cider.name })).toBeVisible()
    for (const text of ['Rs. 525', 'Pressed in Mustang.', '(6 available)'])
      await expect(page.locator('article.detail')).toContainText(text)
    const data = await page.locator('script[type="application/ld+json"]').allInnerTexts()
    const types = data.flatMap((text) => JSON.parse(text) as { '@type': string }).map((each) => each['@type'])
    expect(types).toEqual(expect.arrayContaining(['Product', 'BreadcrumbList']))
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${pathOf(cider)}$`))
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', 'Pressed in Mustang.')
  })
})

test('React takes over a page without a call, because its data came with it, also when it is reloaded', async ({
  page,
}) => {
  // Without the check after twelve seconds, only the page load or an action causes calls.
  await dropTimers(page, 12_000)
  const calls = listen(page, '/api/')
  const noneBefore = async (name: string) => {
    // The requests of the app's start are sent before this one.
    await page.evaluate(() => fetch('/healthz'))
    expect(
      calls.map((call) => call.url()),
      name,
    ).toEqual([])
  }
  for (const name of ['home', 'products', 'categories', 'category', 'product']) {
    const { path, heading } = await route(name)
    await open(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await noneBefore(name)
  }
  await reload(page)
  await noneBefore('a reloaded page')
  await page.getByRole('banner').getByRole('link', { name: 'Thunse' }).click()
  await expect(page.locator('main article.card').first()).toBeVisible()
  expect(calls.length, 'the listener does hear calls').toBeGreaterThan(0)
})

test('the first view of the seller dashboard and of its login have their frame', async ({
  page,
  context,
}) => {
  const { release } = await holdApp(page)
  await page.goto('/seller', { waitUntil: 'commit' })
  await expect(page.locator('.seller-login .wordmark')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Seller login' })).toBeVisible()

  await (await sellerSession()).enter(context)
  await page.goto('/seller/orders', { waitUntil: 'commit' })
  await expect(page.locator('.seller-header .wordmark')).toBeVisible()
  await expect(page.locator('.seller-nav a[aria-current="page"]')).toHaveText('Orders')
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await expect(page.locator('.toaster'), 'React is not there yet').toHaveCount(0)
  await release()
  await takenOver(page)
  await expect(page.getByTestId('order-card').or(page.locator('.state-panel')).first()).toBeVisible()
})
