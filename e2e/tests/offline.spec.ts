import { newGoods, placeOrder } from '../support/checkout.ts'
import { ownProducts } from '../support/goods.ts'
import {
  cachedTexts,
  cachedUrls,
  shopProxy,
  waitForCached,
  waitForNepali,
  waitForPrefetch,
} from '../support/offline.ts'
import { addHome, fillCart } from '../support/orders.ts'
import { recordTexts } from '../support/passing-texts.ts'
import { formOf } from '../support/people.ts'
import { png } from '../support/pictures.ts'
import {
  avatar,
  cardNames,
  cartCount,
  expect,
  goTo,
  inNepali,
  listen,
  NOT_FOUND,
  OFFLINE,
  ON_DESKTOP,
  open,
  reload,
  takenOver,
  test,
  toast,
} from '../support/shop.ts'

const BAR = 'You are offline. You can browse and fill your cart. Ordering needs a connection.'
const PRICES = / Prices are from \d\d:\d\d and may have changed\.$/
/** Requests that fail without a connection, and the page that says so. */
const NO_CONNECTION = [OFFLINE, /net::ERR_FAILED .*\/(media\/|api\/(product|coupon)\/)/, /status of 503/]

test.use({ serviceWorkers: 'allow' })
/** The small pictures on drawings are not fetched ahead; without them the drawing shows the name alone. */
const EMOJI = /ERR_FAILED .*\/assets\/[\da-f]+-[\w-]+\.webp\)$/
test.beforeEach(({ allowConsole }) => allowConsole(...NO_CONNECTION, EMOJI))

test('pages and pictures that were seen open again without a connection, with the age of the prices, and the others follow', async ({
  page,
  context,
}) => {
  const bar = await recordTexts(page, '.offline-bar')
  await open(page, '/products')
  await waitForPrefetch(page)
  const names = await cardNames(page)
  const price = await page.locator('article.card .price').first().textContent()
  const first = page.locator('main article.card img').first()
  const picture = await first.evaluate((img: HTMLImageElement) => new URL(img.currentSrc).pathname)
  await waitForCached(page, picture)
  await page.locator('article.card a').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[0] ?? '')
  const product = new URL(page.url()).pathname
  await waitForCached(page, `/api/product/get_product/${product.split('/').at(-1)}`)

  await context.setOffline(true)
  // The page was reached by client-side navigation, so the server never sent its HTML.
  await reload(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[0] ?? '')
  await expect(page.locator('.offline-bar')).toHaveText(new RegExp(BAR + PRICES.source))
  await page.goto('/products')
  await takenOver(page)
  expect(await cardNames(page)).toEqual(names)
  await expect(page.locator('article.card .price').first()).toHaveText(price ?? '')
  await expect
    .poll(() => first.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
    .toBeGreaterThan(0)
  // The files of these pages were prefetched; the pages were never opened here.
  await goTo(page, 'Categories')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shop by Category')
  await expect(page.locator('main .category-card').first()).toBeVisible()
  await goTo(page, 'Offers')
  await expect(page).toHaveURL(/\/offers$/)

  await context.setOffline(false)
  await expect.poll(() => bar.at(-1)).toBe('You are back online.')
})

test('without a connection the cart fills and shows prices, and an order is neither sent nor put aside for later', async ({
  page,
  context,
  shopper,
  allowConsole,
}) => {
  // The code of the picture that flies to the cart is not fetched ahead. At the end the page is online a moment before its
  // worker, and what it requests in between depends on which of them is faster.
  allowConsole(/net::ERR_FAILED .*\/assets\//)
  const ahead = listen(page, '/assets/place-order-')
  const sent: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/place_order')) sent.push(request.url())
  })
  await addHome(shopper.session)
  const { word, products } = await ownProducts(['Mustard Oil', 'Sunflower Oil'])
  await open(page, `/products?search=${word}`)
  await waitForPrefetch(page)
  await waitForCached(page, `/api/product/get_products?limit=24&search=${word}`)
  const add = page.locator('main article.card').getByRole('button', { name: 'Add to Cart' })
  await add.first().click()
  await toast(page, 'Added to cart')

  await context.setOffline(true)
  await add.first().click()
  await expect(cartCount(page)).toHaveText('2')
  await page.goto('/cart')
  await takenOver(page)
  for (const { name } of products)
    await expect(page.locator('.cart-line').filter({ hasText: name })).toContainText('Rs. 120')
  await expect(placeOrder(page)).toBeDisabled()
  await expect(page.locator('#order-hints')).toContainText(BAR)
  expect(ahead, 'nothing is fetched ahead without a connection').toEqual([])
  const refused = await page.evaluate(() =>
    fetch('/api/order/place_order_COD', { method: 'POST', body: '{}' }).then(
      () => 'answered',
      () => 'failed',
    ),
  )
  expect(refused).toBe('failed')
  expect(sent, 'the listener does hear an order').toHaveLength(1)

  await context.setOffline(false)
  await expect(page.locator('#order-hints')).not.toContainText(BAR)
  await expect(placeOrder(page)).toBeEnabled()
  await expect.poll(() => ahead.length, 'what ordering takes is fetched ahead').toBeGreaterThan(0)
  // The worker handles this request after the connection is back, so that anything it had queued would be sent before.
  await page.evaluate(() => fetch('/api/category/get_category_public'))
  expect(sent).toHaveLength(1)
})

test('a page that was never opened here says so in both languages, and leads to the cart and home', async ({
  page,
  context,
  allowConsole,
}) => {
  allowConsole(NOT_FOUND)
  await open(page, '/')
  await waitForPrefetch(page)

  await context.setOffline(true)
  for (const path of ['/orders', '/category/no-such-thing', '/seller', '/nowhere']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('You are offline')
  }
  await expect(page.locator('[lang="ne"] h2')).toHaveText('तपाईं अफलाइन हुनुहुन्छ')
  // The page has the shop's style.
  await expect(page.getByRole('link', { name: /Go to cart/ })).toHaveCSS('border-radius', /[1-9]/)
  await page.getByRole('link', { name: /Go to home page/ }).click()
  await takenOver(page)
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/nowhere')
  await page.getByRole('link', { name: /Go to cart/ }).click()
  await takenOver(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your cart is empty')

  await page.goto('/nowhere')
  await context.setOffline(false)
  await page.getByRole('link', { name: /Try again/ }).click()
  await takenOver(page)
  await expect(page).toHaveURL(/\/nowhere$/)
})

test('the language chosen last holds for pages that were kept in the other, and the cart has its words', async ({
  page,
  context,
}) => {
  await open(page, '/')
  await waitForPrefetch(page)
  await page.getByRole('button', { name: 'नेपालीमा हेर्नुहोस्' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
  await waitForNepali(page)
  await context.setOffline(true)
  await reload(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
  await expect(page.locator('.offline-bar')).toContainText('तपाईं अफलाइन हुनुहुन्छ।')

  // The messages of unopened pages are prefetched for visitors who use Nepali.
  await context.setOffline(false)
  await inNepali(page)
  await open(page, '/')
  await waitForPrefetch(page, { nepali: true })
  await context.setOffline(true)
  await page.goto('/cart')
  await takenOver(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('तपाईंको कार्ट खाली छ')
})

test(
  'nothing about a person is ever kept, not even the photo, and after logout nothing of what they looked at',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await addHome(shopper.session)
    await fillCart(shopper.session, [[await newGoods(), 1]])
    const { name, email, phone } = shopper
    const form = formOf({ name, email, phone, address: 'Patan' })
    const photo = new Blob([new Uint8Array(png(192, 192, [140, 90, 40]))], { type: 'image/png' })
    form.append('image', photo, 'me.png')
    await shopper.session.must('PUT', '/api/user/updateProfile', form)
    await open(page, '/')
    await waitForPrefetch(page)
    for (const path of ['/products', '/cart', '/orders', '/profile']) {
      await open(page, path)
      await expect(avatar(page, shopper)).toBeVisible()
    }
    await open(page, '/products?search=tea')
    await waitForCached(page, '/products?search=tea')

    const personal =
      /\/api\/(user|order|cart|address|seller|subscriber)\/|^\/(orders|profile|payment|add_address|seller)/
    const shown = page.getByRole('banner').locator('img.avatar')
    await expect(shown).toBeVisible()
    const portrait = await shown.evaluate((img: HTMLImageElement) => new URL(img.src).pathname)
    await expect
      .poll(async () => (await cachedUrls(page)).some((each) => each.startsWith('/media/')))
      .toBe(true)
    const cached = await cachedUrls(page)
    expect(cached).not.toContain(portrait)
    expect(cached.length).toBeGreaterThan(30)
    expect(cached.filter((address) => personal.test(address))).toEqual([])
    for (const text of await cachedTexts(page)) {
      expect(text).not.toContain(shopper.email)
      expect(text).not.toContain(shopper.phone)
    }

    await avatar(page, shopper).click()
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await toast(page, 'Logout successful!')
    await expect
      .poll(async () => (await cachedUrls(page)).filter((address) => !address.startsWith('/assets/')))
      .toEqual(['/cart'])
    const noted = () =>
      page.evaluate(
        () =>
          new Promise<string[]>((resolve, reject) => {
            const opening = indexedDB.open('serwist-expiration')
            opening.onerror = () => reject(opening.error)
            opening.onsuccess = () => {
              const all = opening.result.transaction('cache-entries').objectStore('cache-entries').getAll()
              all.onsuccess = () =>
                resolve(all.result.map(({ url }: { url: string }) => new URL(url).pathname))
            }
          }),
      )
    // The time of a file is written after the file.
    await expect
      .poll(async () => (await noted()).filter((path) => !path.startsWith('/assets/')))
      .toEqual(['/cart'])
    expect((await noted()).length).toBeGreaterThan(20)
  },
)

test(
  'on a slow connection a page seen a moment ago is shown, but yesterday’s prices are not',
  ON_DESKTOP,
  async ({ page, context }) => {
    const way = await shopProxy()
    try {
      await page.goto(`${way.url}/products`)
      // From here on the worker caches nothing more that the first page requested.
      await waitForPrefetch(page)
      await waitForCached(page, '/products')
      await page.goto(`${way.url}/about`)
      await waitForCached(page, '/about')
      // A page is shown before it is cached: this waits until the new copy is there.
      await page.evaluate(async () =>
        (await caches.open('thunse-pages')).delete('/products', { ignoreVary: true }),
      )
      await page.goto(`${way.url}/products`)
      await waitForCached(page, '/products')
      const name = (await page.locator('main article.card h3').first().textContent())?.trim() ?? ''
      // Simulates a page that was cached yesterday, when this product had another name.
      await page.evaluate(async (shown) => {
        const store = await caches.open('thunse-pages')
        const cached = await store.match('/products', { ignoreVary: true })
        const headers = new Headers(cached?.headers)
        headers.set('date', new Date(Date.now() - 24 * 60 * 60_000).toUTCString())
        headers.delete('content-length')
        const text = (await cached?.text())?.replaceAll(shown, 'What it was called yesterday')
        await store.put('/products', new Response(text, { headers }))
      }, name)

      const letThrough = way.holdBack('/products', '/about')
      let came = false
      const coming = page.reload().then(() => {
        came = true
      })
      await expect.poll(way.heldBack).toBe(1)
      const other = await context.newPage()
      await other.goto(`${way.url}/about`)
      await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
      // This page was requested later and has timed out; the other one still waits for its response.
      expect(came).toBe(false)
      letThrough()
      await coming
      await expect(page.locator('main article.card h3').first()).toHaveText(name)
      await expect(page.getByText('What it was called yesterday')).toHaveCount(0)
    } finally {
      way.close()
    }
  },
)

test(
  'on a connection that leads nowhere the bar and the age of the prices are there too, until the shop answers',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(/net::ERR_EMPTY_RESPONSE/)
    const way = await shopProxy()
    try {
      const texts = await recordTexts(page, '.offline-bar')
      await page.goto(`${way.url}/products`)
      await waitForPrefetch(page)
      await waitForCached(page, '/products')
      const bar = page.locator('.offline-bar')
      way.leadNowhere(true)
      await reload(page)
      expect(await page.evaluate(() => navigator.onLine)).toBe(true)
      await expect(bar).toHaveText(new RegExp(BAR + PRICES.source))
      await goTo(page, 'Categories')
      await expect(page.getByRole('heading', { level: 1, name: 'Shop by Category' })).toBeVisible()
      await expect(bar).toContainText(BAR)

      way.leadNowhere(false)
      await expect.poll(() => texts.at(-1)).toBe('You are back online.')
      await expect(bar).toHaveCount(0)
    } finally {
      way.close()
    }
  },
)
