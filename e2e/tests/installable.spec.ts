import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { shopUrl } from '../support/api.ts'
import { CHROMIUM_FLAGS, PHONE, WHOLE_CHROMIUM } from '../support/chromium.ts'
import {
  cachedUrls,
  loadedFiles,
  shopProxy,
  waitForCached,
  waitForFiles,
  waitForWorker,
} from '../support/offline.ts'
import { drawn, expect, goTo, hold, listen, ON_DESKTOP, open, takenOver, test } from '../support/shop.ts'

test.use({ serviceWorkers: 'allow' })

const READY = 'A new version of the shop is ready.'

/** Makes the browser check for a new service worker. */
const update = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))

/** Waits until the worker has answered this message, and so all that the page has sent before. */
const answered = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve()
        navigator.serviceWorker.controller?.postMessage({ type: 'whose', entry: '' }, [port2])
      }),
  )

test(
  'the shop can be installed, and every picture that its manifest names has the size it names',
  ON_DESKTOP,
  async () => {
    // The complete browser with its own profile, because a private window cannot install an app.
    const folder = await mkdtemp(join(tmpdir(), 'thunse-installable-'))
    const browser = await chromium.launchPersistentContext(folder, {
      executablePath: WHOLE_CHROMIUM,
      args: CHROMIUM_FLAGS,
      baseURL: shopUrl(),
    })
    try {
      const page = await browser.newPage()
      await open(page, '/')
      await waitForWorker(page)
      const devtools = await browser.newCDPSession(page)
      const { errors, url } = await devtools.send('Page.getAppManifest')
      expect(url).toMatch(/\/manifest\.webmanifest$/)
      expect(errors).toEqual([])
      const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
      expect(installabilityErrors).toEqual([])

      const manifest = await (await page.request.get('/manifest.webmanifest')).json()
      expect(manifest).toMatchObject({
        id: '/',
        lang: 'en',
        display: 'standalone',
        start_url: '/',
        scope: '/',
      })
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
    } finally {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test(
  'a new version is offered and not forced, says nothing in the checkout, and comes when it is wanted',
  ON_DESKTOP,
  async ({ page, toasts }) => {
    /** The worker of a later build, whose pages start with another script. */
    const later = (text: string) => text.replace(/(\/assets\/index-)[\w-]+(\.js)/g, '$1later$2')
    const way = await shopProxy()
    try {
      way.exchangeWorker((text) => `${text}\n// an older one`)
      await open(page, `${way.url}/products`)
      await waitForWorker(page)
      // A worker of the same build as this page takes over silently.
      way.exchangeWorker((text) => text)
      await page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
            void navigator.serviceWorker.ready.then((registration) => registration.update())
          }),
      )
      await answered(page)
      await drawn(page)
      expect(toasts).toEqual([])

      way.exchangeWorker(later)
      const started = await page.evaluate(() => performance.timeOrigin)
      await update(page)
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
  },
)

test(
  'a worker that is broken or does not come harms nobody, and an operator ends one with the empty one',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(/bad HTTP response code \(500\)|service worker script/i)
    const way = await shopProxy()
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

      way.exchangeWorker((text) => text)
      await open(page, `${way.url}/products`)
      await waitForWorker(page)
      const last = await (await page.request.get('/last-sw.js')).text()
      expect(last).toContain('unregister')
      way.exchangeWorker(() => last)
      await update(page)
      await expect.poll(() => cachedUrls(page)).toEqual([])
      await expect
        .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
        .toBe(0)
    } finally {
      way.close()
    }
  },
)

test('nothing is fetched for later before the page has loaded, and for those who save data nothing at all', async ({
  page,
  browser,
}) => {
  let assets = listen(page, '/assets/')
  const names = () => assets.map((request) => request.url())
  const { release, asked } = await hold(page, '**/media/**')
  await page.goto('/', { waitUntil: 'commit' })
  await takenOver(page)
  await expect.poll(asked).toBeGreaterThan(0)
  await expect.poll(() => loadedFiles(page)).toContainEqual(expect.stringContaining('/offline-bar-'))
  await expect(page.locator('.hero-art')).toBeAttached()
  await expect(page.getByTestId('ad-slot')).toBeAttached()
  await drawn(page)
  expect(names().filter((url) => url.includes('/register-service-worker-'))).toEqual([])
  await release()
  await expect.poll(() => names().some((url) => url.includes('/register-service-worker-'))).toBe(true)

  const context = await browser.newContext({
    baseURL: shopUrl(),
    viewport: PHONE,
    extraHTTPHeaders: { 'Save-Data': 'on' },
  })
  const saving = await context.newPage()
  await saving.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  assets = listen(saving, '/assets/')
  const first = await (await saving.request.get('/')).text()
  expect(first).toContain('class="hero"')
  expect(first).not.toContain('hero-art')
  await open(saving, '/')
  await waitForWorker(saving)
  await expect(saving.locator('.hero')).toBeVisible()
  await expect(saving.locator('.hero-art')).toHaveCount(0)
  await expect(saving.getByTestId('ad-slot')).toHaveCount(0)
  const pictures = saving.locator('main article.card img')
  await expect(pictures.first()).toBeVisible()
  for (const { shown, set } of await pictures.evaluateAll((all) =>
    all.map((each) => ({
      shown: (each as HTMLImageElement).currentSrc,
      set: (each as HTMLImageElement).srcset,
    })),
  ))
    if (shown) expect(shown).toContain(set.split(' ')[0] ?? '')
  // The worker caches the resources of this page, and would then prefetch the files of other pages.
  await waitForCached(saving, '/')
  await waitForFiles(saving)
  await open(saving, '/about')
  await waitForCached(saving, '/about')
  expect(names().filter((url) => /cart-page|category-page/.test(url))).toEqual([])
  expect((await cachedUrls(saving)).filter((file) => /cart-page|^\/cart$/.test(file))).toEqual([])
  await context.close()
})
