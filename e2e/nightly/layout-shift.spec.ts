/**
 * Checks that nothing moves while a page loads. Frames and fonts depend on the load of the machine, so these tests run
 * at night and not in CI: `npm run layout-shift`.
 */
import type { Page } from '@playwright/test'
import { route } from '../support/routes.ts'
import { drawn, expect, goTo, hold, inNepali, open, takenOver, test } from '../support/shop.ts'

/** The positions of everything on the first screen. Children that React adds later (marks, counts) are not counted. */
function boxes(page: Page) {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'header a, header button, header input, main h1, main h2, main h3, main p, main a, main button, main input, main select, main .picture, footer h2, footer a',
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
  'search by another name',
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
      // `hadRecentInput` is ignored: there is no input here, but for half a second the window's own size counts as
      // input.
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

/** A late font may make a word slightly wider and move its neighbours. A line that wraps differently is a jump. */
const jumps = (shifts: Shift[]) =>
  shifts.filter(
    ({ value, moved }) => value >= 0.001 || moved.some(({ down, taller }) => down >= 1 || taller >= 1),
  )

for (const name of ['home', 'products', 'product', 'offers']) {
  test(`nothing on the ${name} page shifts while it loads`, async ({ page, allowConsole }) => {
    // Fonts may arrive before or after the first picture; the next test checks what they move.
    allowConsole(/ERR_BLOCKED_BY_CLIENT/)
    await page.route('**/*.woff2', (font) => font.abort('blockedbyclient'))
    const shifts = await watchShifts(page)
    await open(page, (await route(name)).path)
    if (name === 'home') await expect(page.getByTestId('ad-slot')).toHaveAttribute('data-started', 'true')
    await drawn(page)
    expect(await shifts()).toEqual([])
    // Proves that the observer sees a shift.
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
  const reserved = await height('[aria-hidden]')
  expect(reserved).toBeGreaterThan(200)
  answer.resolve()
  await expect(page.locator('article.card').first()).toBeVisible()
  expect(Math.abs((await height('')) - reserved)).toBeLessThan(1)
})
