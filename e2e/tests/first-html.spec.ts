import type { Page } from '@playwright/test'
import { priceTag, product, productPath } from '../support/api.ts'
import { everyRoute, route } from '../support/routes.ts'
import { drawn, expect, hold, NOT_FOUND, open, takenOver, test } from '../support/shop.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const name of ['home', 'products', 'category']) {
    test(`the first HTML of ${name} already has heading, products, prices and links`, async ({ page }) => {
      const shown = await product(({ stock }) => stock > 10)
      await page.goto((await route(name)).path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page).toHaveTitle(/Thunse/)
      const card = page.locator('article.card').filter({ hasText: shown.name }).first()
      await expect(card.getByRole('link', { name: shown.name })).toHaveAttribute('href', productPath(shown))
      await expect(card).toContainText(priceTag(shown))
      await expect(page.locator('header a[href="/categories"]')).toHaveCount(1)
    })
  }

  test('the first HTML of a product has name, price, description, stock and structured data', async ({
    page,
  }) => {
    const shown = await product(({ stock }) => stock > 10)
    await page.goto(productPath(shown))
    await expect(page).toHaveTitle(`${shown.name} – Thunse`)
    await expect(page.getByRole('heading', { level: 1, name: shown.name })).toBeVisible()
    await expect(page.locator('article.detail')).toContainText(priceTag(shown))
    await expect(page.locator('article.detail')).toContainText(shown.description)
    await expect(page.locator('article.detail')).toContainText(`(${shown.stock} available)`)
    const data = await page.locator('script[type="application/ld+json"]').allInnerTexts()
    const things = data
      .flatMap((text) => JSON.parse(text) as { '@type': string })
      .map((thing) => thing['@type'])
    expect(things).toEqual(expect.arrayContaining(['Product', 'BreadcrumbList']))
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
      'href',
      new RegExp(`${productPath(shown)}$`),
    )
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', new RegExp(shown.name))
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /.{20,}/)
  })

  test('a search works without JavaScript', async ({ page }) => {
    await page.goto('/')
    await page.getByPlaceholder('Search products...').fill('basmati')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/products?search=basmati')
    await expect(page.locator('article.card')).toHaveCount(1)
  })
})

/** Where everything on the first screen stands. Children that React adds later (marks, counts) are no boxes of their own. */
function boxes(page: Page) {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'header a, header button, header input, main h1, main h2, main h3, main p, main a, main button, main input, main select, main .picture',
      ),
    ].flatMap((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      if (width === 0 || y > innerHeight || element.closest('.sr-only')) return []
      return [`${element.tagName.toLowerCase()} ${[x, y, width, height].map(Math.round).join(' ')}`]
    }),
  )
}

for (const name of [
  'home',
  'products',
  'search with similar',
  'categories',
  'category',
  'product',
  'offers',
  'about',
]) {
  test(`React takes over the ${name} page without moving a box`, async ({
    page,
    browser,
    baseURL,
    viewport,
    deviceScaleFactor,
    isMobile,
  }) => {
    const { path } = await route(name)
    const plain = await browser.newContext({
      javaScriptEnabled: false,
      viewport,
      ...(baseURL ? { baseURL } : {}),
      ...(deviceScaleFactor ? { deviceScaleFactor } : {}),
      isMobile,
    })
    const first = await plain.newPage()
    await first.goto(path)
    await first.evaluate(() => document.fonts.ready)
    const before = await boxes(first)
    await plain.close()
    expect(before.length).toBeGreaterThan(10)

    await open(page, path)
    await page.evaluate(() => document.fonts.ready)
    const after = await boxes(page)
    // React may add what the simple first view leaves out (a clear button), but nothing may have moved.
    expect(before.filter((box) => !after.includes(box))).toEqual([])
  })
}

type Shift = { value: number; moved: { node: string; down: number; taller: number }[] }

async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      // Whatever `hadRecentInput` says: nobody touches anything here, but for half a second the window's own size counts as input.
      for (const { value, sources } of list.getEntries() as (PerformanceEntry & {
        value: number
        sources: { node?: Element; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
      })[])
        shifts.push({
          value,
          moved: sources.map(({ node, previousRect: was, currentRect: is }) => ({
            node: node?.className ?? '',
            down: Math.abs(is.y - was.y),
            taller: Math.abs(is.height - was.height),
          })),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
}

/** When its font comes, a word may become a hair wider, and what stands beside it gives way. A line that breaks elsewhere is a jump. */
const jumps = (shifts: Shift[]) =>
  shifts.filter(
    ({ value, moved }) => value >= 0.001 || moved.some(({ down, taller }) => down >= 1 || taller >= 1),
  )

for (const name of ['home', 'products', 'product']) {
  test(`nothing on the ${name} page shifts while it loads`, async ({ page, allowConsole }) => {
    // Whether the fonts come before or after the first picture is chance; what they move when they come is the next test's.
    allowConsole(/ERR_BLOCKED_BY_CLIENT/)
    await page.route('**/*.woff2', (font) => font.abort('blockedbyclient'))
    const shifts = await watchShifts(page)
    await open(page, (await route(name)).path)
    if (name === 'home') await expect(page.getByTestId('ad-slot')).toHaveAttribute('data-started', 'true')
    await drawn(page)
    expect(await shifts()).toEqual([])
    // The observer does see a shift when there is one.
    await page.evaluate(() => {
      const wedge = document.createElement('div')
      wedge.style.height = '200px'
      document.querySelector('main')?.prepend(wedge)
    })
    await expect.poll(async () => (await shifts()).length).toBeGreaterThan(0)
  })

  test(`fonts that come late move nothing on the ${name} page`, async ({ page }) => {
    const shifts = await watchShifts(page)
    const { release, asked } = await hold(page, '**/*.woff2')
    await page.goto((await route(name)).path, { waitUntil: 'commit' })
    await takenOver(page)
    await drawn(page)
    release()
    await page.evaluate(() => document.fonts.ready)
    await drawn(page)
    expect(asked(), 'the page did want fonts').toBeGreaterThan(0)
    expect(jumps(await shifts())).toEqual([])
  })
}

test('every route answers with its status, its own title and one heading, and nothing is blocked', async ({
  page,
  allowConsole,
}) => {
  allowConsole(NOT_FOUND)
  test.slow()
  const titles = new Map<string, string>()
  for (const { name, path, status } of await everyRoute()) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(status)
    // From the answer itself: by the time the page has loaded, React may have set its own.
    const html = (await answer?.text()) ?? ''
    const served = await page.evaluate(
      (text) => new DOMParser().parseFromString(text, 'text/html').title,
      html,
    )
    await takenOver(page)
    await drawn(page)
    await expect(page.locator('h1'), name).toHaveCount(1)
    await expect(page.getByRole('banner')).toBeVisible()
    expect(await page.title(), `the title of ${name} stays the server's`).toBe(served)
    titles.set(name, served)
  }
  expect(titles.get('about')).toBe('About Thunse – Thunse')
})

test('a page that is opened again (reloaded, revalidated) still works', async ({ page }) => {
  await open(page, '/products')
  const again = page.waitForResponse((response) => new URL(response.url()).pathname === '/products')
  await page.reload()
  await again
  await takenOver(page)
  await expect(page.locator('main article.card')).toHaveCount(24)
})

test('the first page needs no call: its data came with it', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.url())
  })
  for (const name of ['home', 'products', 'categories', 'category', 'product']) {
    await open(page, (await route(name)).path)
    await drawn(page)
    expect(calls, name).toEqual([])
  }
  await page.getByRole('link', { name: 'Thunse' }).first().click()
  await expect.poll(() => calls.length, 'the listener does hear calls').toBeGreaterThan(0)
})
