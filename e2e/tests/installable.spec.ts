import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { shopUrl } from '../support/api.ts'
import { CHROMIUM_FLAGS, WHOLE_CHROMIUM } from '../support/chromium.ts'
import { identity, signInAtProvider } from '../support/identity.ts'
import { keptAddresses, keptAhead, lookedAfter, wayToTheShop } from '../support/kept.ts'
import {
  expect,
  goTo,
  listen,
  loginDialog,
  ON_DESKTOP,
  open,
  takenOver,
  test,
  toast,
} from '../support/shop.ts'

test.use({ serviceWorkers: 'allow' })

const READY = 'A new version of the shop is ready.'

test('the shop can be installed', ON_DESKTOP, async () => {
  // The whole browser, with a folder of its own: one does not install anything in a private window.
  const folder = await mkdtemp(join(tmpdir(), 'thunse-installable-'))
  const browser = await chromium.launchPersistentContext(folder, {
    executablePath: WHOLE_CHROMIUM,
    args: CHROMIUM_FLAGS,
    baseURL: shopUrl(),
  })
  try {
    const page = await browser.newPage()
    await open(page, '/')
    await lookedAfter(page)
    const devtools = await browser.newCDPSession(page)
    const { errors, url } = await devtools.send('Page.getAppManifest')
    expect(url).toMatch(/\/manifest\.webmanifest$/)
    expect(errors).toEqual([])
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    expect(installabilityErrors).toEqual([])
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test(
  'the manifest says who the shop is, and every picture it names has the size it names',
  ON_DESKTOP,
  async ({ page }) => {
    await page.goto('/about')
    const manifest = await (await page.request.get('/manifest.webmanifest')).json()
    expect(manifest).toMatchObject({ id: '/', lang: 'en', display: 'standalone', start_url: '/', scope: '/' })
    const purposes = manifest.icons.map((icon: { purpose: string }) => icon.purpose)
    expect(purposes).toEqual(['any', 'any', 'maskable'])
    expect(manifest.shortcuts.map(({ url }: { url: string }) => url)).toEqual(['/cart', '/orders'])
    for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
      const size = await page.evaluate(async (address) => {
        const picture = new Image()
        picture.src = address
        await picture.decode()
        return `${picture.naturalWidth}x${picture.naturalHeight}`
      }, src)
      expect(size, src).toBe(sizes)
    }
    for (const { url } of manifest.shortcuts) expect((await page.request.get(url)).status()).toBe(200)
  },
)

test('whatever a launcher cuts off, the basket stays whole', ON_DESKTOP, async ({ page }) => {
  await page.goto('/about')
  // The safe zone is a circle of four fifths of the width; outside it there may be only ground.
  const outside = await page.evaluate(async () => {
    const picture = new Image()
    picture.src = '/icon-maskable-512.png'
    await picture.decode()
    const canvas = new OffscreenCanvas(512, 512)
    const brush = canvas.getContext('2d')
    if (!brush) throw new Error('no canvas')
    brush.drawImage(picture, 0, 0)
    const { data } = brush.getImageData(0, 0, 512, 512)
    const colours = { inside: new Set<string>(), outside: new Set<string>() }
    for (let y = 0; y < 512; y += 1) {
      for (let x = 0; x < 512; x += 1) {
        const zone = Math.hypot(x - 255.5, y - 255.5) > 0.4 * 512 ? 'outside' : 'inside'
        colours[zone].add(data.slice((y * 512 + x) * 4, (y * 512 + x) * 4 + 4).join())
      }
    }
    return { inside: colours.inside.size, outside: [...colours.outside] }
  })
  expect(outside.inside).toBeGreaterThan(3)
  expect(outside.outside).toEqual(['255,255,255,255'])
})

test.describe('a new version', ON_DESKTOP, () => {
  /** The same worker as that of a later build would be: its pages begin with another script. */
  const later = (text: string) => text.replace(/(\/assets\/index-)[\w-]+(\.js)/g, '$1later$2')

  test('is offered and not forced, says nothing in the checkout, and comes when it is wanted', async ({
    page,
  }) => {
    const way = await wayToTheShop()
    try {
      await open(page, `${way.url}/products`)
      await lookedAfter(page)
      way.exchangeWorker(later)
      const started = await page.evaluate(() => performance.timeOrigin)
      await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
      const offer = page.getByTestId('toast').filter({ hasText: READY })
      await expect(offer).toBeVisible()

      await page.getByRole('link', { name: /^Cart/ }).first().click()
      await expect(page).toHaveURL(/\/cart$/)
      await expect(offer).toHaveCount(0)
      await goTo(page, 'Categories')
      await expect(offer).toBeVisible()
      expect(await page.evaluate(() => performance.timeOrigin), 'nothing has reloaded the page').toBe(started)
      expect(await page.evaluate(async () => !!(await navigator.serviceWorker.ready).waiting)).toBe(true)

      await offer.getByRole('button', { name: 'Reload' }).click()
      await expect
        .poll(() => page.evaluate(() => performance.timeOrigin).catch(() => started))
        .not.toBe(started)
      await takenOver(page)
      await expect(page).toHaveURL(/\/categories$/)
      expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull()
    } finally {
      way.close()
    }
  })

  test('that the page itself is of already takes over without a word', async ({ page }) => {
    const way = await wayToTheShop()
    try {
      way.exchangeWorker((text) => `${text}\n// an older one`)
      await open(page, `${way.url}/about`)
      await lookedAfter(page)
      const first = await page.evaluate(() => navigator.serviceWorker.controller)
      expect(first).not.toBeNull()
      way.exchangeWorker((text) => text)
      const changed = page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
            void navigator.serviceWorker.ready.then((registration) => registration.update())
          }),
      )
      await changed
      await expect(page.getByTestId('toast')).toHaveCount(0)
    } finally {
      way.close()
    }
  })

  test('that is broken or does not arrive harms nobody', async ({ page, allowConsole }) => {
    allowConsole(/bad HTTP response code \(500\)|service worker script/i)
    const way = await wayToTheShop()
    try {
      for (const bad of [undefined, 'throw new Error("a bad day")']) {
        const asked = way.workersSent()
        way.exchangeWorker(() => bad)
        await open(page, `${way.url}/products`)
        await expect.poll(way.workersSent).toBeGreaterThan(asked)
        await goTo(page, 'Categories')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shop by Category')
        expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
      }
    } finally {
      way.close()
    }
  })
})

test('an operator ends a bad worker by putting the empty one in its place', ON_DESKTOP, async ({ page }) => {
  const way = await wayToTheShop()
  try {
    await open(page, `${way.url}/products`)
    await lookedAfter(page)
    const last = await (await page.request.get('/last-sw.js')).text()
    expect(last).toContain('unregister')
    way.exchangeWorker(() => last)
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await expect.poll(() => keptAddresses(page)).toEqual([])
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0)
    await open(page, `${way.url}/about`)
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  } finally {
    way.close()
  }
})

test(
  'the way back from the identity provider is gone once, also behind the worker',
  ON_DESKTOP,
  async ({ page }) => {
    await open(page, '/about')
    await keptAhead(page)
    const maya = identity()
    const dialog = await loginDialog(page)
    await dialog.getByText('Continue with Google').click()
    await signInAtProvider(page, maya)
    await toast(page, 'Google login successful!')
  },
)

test.describe('whoever saves data', () => {
  test.use({ extraHTTPHeaders: { 'Save-Data': 'on' } })
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    }),
  )

  test('gets neither the hero picture nor advertisements, the smallest pictures, and nothing ahead', async ({
    page,
  }) => {
    const asked = listen(page, '/assets/')
    const first = await (await page.request.get('/')).text()
    expect(first).toContain('class="hero"')
    expect(first).not.toContain('hero-art')
    await open(page, '/')
    await lookedAfter(page)
    await expect(page.locator('.hero')).toBeVisible()
    await expect(page.locator('.hero-art')).toHaveCount(0)
    await expect(page.getByTestId('ad-slot')).toHaveCount(0)
    const pictures = page.locator('main article.card img')
    await expect(pictures.first()).toBeVisible()
    for (const picture of await pictures.evaluateAll((all) =>
      all.map((each) => ({
        shown: (each as HTMLImageElement).currentSrc,
        set: (each as HTMLImageElement).srcset,
      })),
    )) {
      if (picture.shown) expect(picture.shown).toContain(picture.set.split(' ')[0] ?? '')
    }
    // What this page is made of is kept as it has come; the cart and its files are not fetched.
    await expect.poll(() => keptAddresses(page)).toContain('/')
    await page.waitForLoadState('networkidle')
    expect(
      asked.map((request) => request.url()).filter((url) => /cart-page|category-page/.test(url)),
    ).toEqual([])
    expect((await keptAddresses(page)).filter((file) => /cart-page|^\/cart$/.test(file))).toEqual([])
  })
})

test('whoever does not save data is shown the hero picture and advertisements', async ({ page }) => {
  await open(page, '/')
  await expect(page.locator('.hero-art')).toBeVisible()
  await expect(page.getByTestId('ad-slot')).toBeAttached()
  const page1 = await page.request.get('/')
  expect(page1.headers().vary).toContain('save-data')
})

test('the first page is drawn before anything is fetched for later', ON_DESKTOP, async ({ page }) => {
  await open(page, '/products')
  await lookedAfter(page)
  const { drawn, keeper } = await page.evaluate(() => ({
    drawn: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    keeper: performance.getEntriesByType('resource').find(({ name }) => name.includes('keep-offline'))
      ?.startTime,
  }))
  const loaded = await page.evaluate(
    () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd,
  )
  expect(keeper).toBeGreaterThan(drawn)
  expect(keeper).toBeGreaterThanOrEqual(loaded)
})
