import { placeOrder } from '../support/checkout.ts'
import { fiveHundred } from '../support/database.ts'
import { keptAddresses, keptAhead, keptPage, keptTexts, lookedAfter, wayToTheShop } from '../support/kept.ts'
import { addHome, fillCart } from '../support/orders.ts'
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
  takenOver,
  test,
  toast,
} from '../support/shop.ts'

const BAR = 'You are offline. You can browse and fill your cart. Ordering needs a connection.'
const PRICES = / The prices here are from \d\d:\d\d and may have changed\.$/
/** Tries that come to nothing without a line, and the page that says so. */
const NO_LINE = [OFFLINE, /net::ERR_FAILED .*\/(media\/|api\/product\/)/, /status of 503/]

test('without a connection a bar says so, the cart still fills, and the return is announced for four seconds', async ({
  page,
  context,
  allowConsole,
}) => {
  allowConsole(OFFLINE)
  await page.clock.install()
  await open(page, '/products')
  const bar = page.locator('.offline-bar')
  await expect(bar).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await expect(bar).toHaveText(BAR)
  await page.locator('main article.card').first().getByRole('button', { name: 'Add to Cart' }).click()
  await toast(page, 'Added to cart')
  await expect(cartCount(page)).toHaveText('1')
  await context.setOffline(false)
  await expect(bar).toHaveText('You are back online.')
  await page.clock.runFor(4100)
  await expect(bar).toHaveCount(0)
})

test('the newsletter waits for a connection and says why', async ({ page, context, allowConsole }) => {
  allowConsole(OFFLINE)
  await open(page, '/offers')
  const button = page.locator('form.newsletter-form button')
  await expect(button).toBeEnabled()
  await context.setOffline(true)
  await expect(button).toBeDisabled()
  await expect(page.locator('.newsletter-note')).toHaveText(BAR)
  await context.setOffline(false)
  await expect(button).toBeEnabled()
})

test.describe('what this device has kept', () => {
  test.use({ serviceWorkers: 'allow' })
  test.beforeEach(({ allowConsole }) => allowConsole(...NO_LINE))

  test('pages that were seen open again without a connection, with their prices and how old those are', async ({
    page,
    context,
  }) => {
    await open(page, '/products')
    await keptAhead(page)
    const names = await cardNames(page)
    const price = await page.locator('article.card .price').first().textContent()
    await page.locator('article.card a').first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[0] ?? '')
    const product = new URL(page.url()).pathname
    await keptPage(page, `/api/product/get_product/${product.split('/').at(-1)}`)

    await context.setOffline(true)
    // Reached by a tap only: the server has never been asked for this page as a whole.
    await page.reload()
    await takenOver(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[0] ?? '')
    await expect(page.locator('.offline-bar')).toHaveText(new RegExp(BAR + PRICES.source))
    await page.goto('/products')
    await takenOver(page)
    expect(await cardNames(page)).toEqual(names)
    await expect(page.locator('article.card .price').first()).toHaveText(price ?? '')

    await context.setOffline(false)
    await expect(page.locator('.offline-bar')).toHaveText('You are back online.')
  })

  test('in the shop one walks on without a connection, also to pages that were only fetched ahead', async ({
    page,
    context,
  }) => {
    await open(page, '/')
    await keptAhead(page)

    await context.setOffline(true)
    await goTo(page, 'Categories')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shop by Category')
    await expect(page.locator('main article, main .category-card').first()).toBeVisible()
    await goTo(page, 'Offers')
    await expect(page).toHaveURL(/\/offers$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('pictures that were seen are seen again', async ({ page, context }) => {
    await open(page, '/')
    await keptAhead(page)
    const first = page.locator('main article.card img').first()
    const picture = await first.evaluate((img: HTMLImageElement) => new URL(img.currentSrc).pathname)
    await keptPage(page, picture)

    await context.setOffline(true)
    await page.reload()
    await takenOver(page)
    await expect
      .poll(() => first.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
      .toBeGreaterThan(0)
  })

  test('the cart shows names and prices without a connection, also of what was put in without one, and ordering says that it needs one', async ({
    page,
    context,
    shopper,
    allowConsole,
  }) => {
    // At the end the page has its line back a moment before its worker has, and fetches what ordering takes.
    allowConsole(
      /net::ERR_FAILED .*\/assets\/(place-order|placing|orders?|icons-orders|own-holds|notices|dates|person|piece|sync|en)-/,
    )
    const ahead = listen(page, '/assets/place-order-')
    await addHome(shopper.session)
    await open(page, '/products')
    await keptAhead(page)
    const names = (await cardNames(page)).slice(0, 2)
    const add = (card: number) =>
      page.locator('main article.card').nth(card).getByRole('button', { name: 'Add to Cart' }).click()
    await add(0)
    await toast(page, 'Added to cart')

    await context.setOffline(true)
    await add(1)
    await expect(cartCount(page)).toHaveText('2')
    await page.goto('/cart')
    await takenOver(page)
    for (const name of names)
      await expect(page.locator('.cart-line').filter({ hasText: name })).toHaveCount(1)
    await expect(page.locator('.cart-line').first()).toContainText('Rs. ')
    await expect(placeOrder(page)).toBeDisabled()
    await expect(page.locator('#order-hints')).toContainText(BAR)
    expect(ahead, 'nothing is fetched ahead without a connection').toEqual([])

    await context.setOffline(false)
    await expect(page.locator('#order-hints')).not.toContainText(BAR)
    await expect(placeOrder(page)).toBeEnabled()
    await expect.poll(() => ahead.length, 'what ordering takes is fetched ahead').toBeGreaterThan(0)
  })

  test('a page that was never opened here says so in both languages, and leads to the cart and home', async ({
    page,
    context,
    allowConsole,
  }) => {
    allowConsole(NOT_FOUND)
    await open(page, '/')
    await keptAhead(page)

    await context.setOffline(true)
    for (const path of ['/orders', '/category/no-such-thing', '/seller', '/nowhere']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('You are offline')
    }
    await expect(page.locator('[lang="ne"] h2')).toHaveText('तपाईं अफलाइन हुनुहुन्छ')
    // It wears the shop's style.
    await expect(page.getByRole('link', { name: /To the cart/ })).toHaveCSS('border-radius', /[1-9]/)
    await page.getByRole('link', { name: /To the home page/ }).click()
    await takenOver(page)
    await expect(page).toHaveURL(/\/$/)
    await page.goto('/nowhere')
    await page.getByRole('link', { name: /To the cart/ }).click()
    await takenOver(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your cart is empty')

    await page.goto('/nowhere')
    await context.setOffline(false)
    await page.getByRole('link', { name: /Try again/ }).click()
    await takenOver(page)
    await expect(page).toHaveURL(/\/nowhere$/)
  })

  test('the language chosen last holds for pages that were kept in the other', async ({ page, context }) => {
    await open(page, '/')
    await keptAhead(page)
    await page.getByRole('button', { name: 'नेपालीमा हेर्नुहोस्' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
    await expect
      .poll(async () => (await keptAddresses(page)).some((file) => /\/ne(pali)?-/.test(file)))
      .toBe(true)

    await context.setOffline(true)
    await page.reload()
    await takenOver(page)
    await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
    await expect(page.locator('.offline-bar')).toContainText('तपाईं अफलाइन हुनुहुन्छ।')
  })

  test('a reader of Nepali has the words of the cart before it is opened', async ({ page, context }) => {
    await inNepali(page)
    await open(page, '/')
    await keptAhead(page)
    await expect
      .poll(async () => (await keptAddresses(page)).filter((file) => /\/ne(pali)?-/.test(file)).length)
      .toBeGreaterThan(1)

    await context.setOffline(true)
    await page.goto('/cart')
    await takenOver(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('तपाईंको कार्ट खाली छ')
  })

  test('a page that was seen does not keep anybody waiting on a slow line', ON_DESKTOP, async ({ page }) => {
    const way = await wayToTheShop()
    try {
      await open(page, `${way.url}/about`)
      await lookedAfter(page)
      await keptPage(page, '/about')
      way.slowDown('/about', 20_000)
      const started = Date.now()
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(Date.now() - started).toBeGreaterThan(2_500)
      expect(Date.now() - started).toBeLessThan(10_000)
    } finally {
      way.close()
    }
  })

  test(
    'on a line that leads nowhere the bar and the age of the prices are there too, until the shop answers',
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(/net::ERR_EMPTY_RESPONSE/)
      const way = await wayToTheShop()
      try {
        await page.goto(`${way.url}/products`)
        await keptAhead(page)
        await keptPage(page, '/products')
        const bar = page.locator('.offline-bar')
        way.leadNowhere(true)
        await page.reload()
        await takenOver(page)
        expect(await page.evaluate(() => navigator.onLine)).toBe(true)
        await expect(bar).toHaveText(new RegExp(BAR + PRICES.source))
        await goTo(page, 'Categories')
        await expect(page.getByRole('heading', { level: 1, name: 'Shop by Category' })).toBeVisible()
        await expect(bar).toContainText(BAR)

        way.leadNowhere(false)
        await expect(bar).toHaveText('You are back online.')
        await expect(bar).toHaveCount(0)
      } finally {
        way.close()
      }
    },
  )

  test(
    'old prices do not take the place of those that are on their way, however slow',
    ON_DESKTOP,
    async ({ page }) => {
      const way = await wayToTheShop()
      try {
        await page.goto(`${way.url}/products`)
        await keptPage(page, '/products')
        const name = (await page.locator('main article.card h3').first().textContent())?.trim() ?? ''
        // As it would be here had the page been seen yesterday, when this product was called something else.
        await page.evaluate(async (shown) => {
          const store = await caches.open('thunse-pages')
          const kept = await store.match('/products', { ignoreVary: true })
          const headers = new Headers(kept?.headers)
          headers.set('date', new Date(Date.now() - 24 * 60 * 60_000).toUTCString())
          headers.delete('content-length')
          const text = (await kept?.text())?.replaceAll(shown, 'What it was called yesterday')
          await store.put('/products', new Response(text, { headers }))
        }, name)
        way.slowDown('/products', 4_500)
        await page.reload()
        await expect(page.locator('main article.card h3').first()).toHaveText(name)
        await expect(page.getByText('What it was called yesterday')).toHaveCount(0)
      } finally {
        way.close()
      }
    },
  )

  test(
    'nothing about a person is ever kept, and after logout nothing of what they looked at',
    ON_DESKTOP,
    async ({ page, shopper }) => {
      await addHome(shopper.session)
      await fillCart(shopper.session, [[fiveHundred(), 1]])
      await open(page, '/')
      await keptAhead(page)
      for (const path of ['/products', '/cart', '/orders', '/profile', '/add_address', '/about']) {
        await open(page, path)
        await expect(avatar(page, shopper)).toBeVisible()
      }
      await open(page, '/products?search=tea')
      await keptPage(page, '/products?search=tea')

      const personal =
        /\/api\/(user|order|cart|address|seller|subscriber)\/|^\/(orders|profile|payment|add_address|seller)/
      const kept = await keptAddresses(page)
      expect(kept.length).toBeGreaterThan(30)
      expect(kept.filter((address) => personal.test(address))).toEqual([])
      for (const text of await keptTexts(page)) {
        expect(text).not.toContain(shopper.email)
        expect(text).not.toContain(shopper.phone)
      }

      await avatar(page, shopper).click()
      await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
      await toast(page, 'Logout successful!')
      await expect
        .poll(async () => (await keptAddresses(page)).filter((address) => !address.startsWith('/assets/')))
        .toEqual(['/cart'])
      const noted = await page.evaluate(
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
      expect(noted.length).toBeGreaterThan(20)
      expect(noted.filter((path) => !path.startsWith('/assets/'))).toEqual(['/cart'])
    },
  )

  test(
    "a person's photo is not kept, though it looks like any picture of the shop",
    ON_DESKTOP,
    async ({ page, shopper }) => {
      const photo = await page.request.get('/icon-192.png')
      const form = new FormData()
      form.set('image', new Blob([new Uint8Array(await photo.body())], { type: 'image/png' }), 'me.png')
      for (const [field, value] of Object.entries({
        name: shopper.name,
        email: shopper.email,
        phone: shopper.phone,
        address: 'Patan',
      }))
        form.set(field, value)
      const saved = await shopper.session.call<{ image: string }>('PUT', '/api/user/updateProfile', form)
      expect(saved.status).toBe(200)
      await open(page, '/')
      await keptAhead(page)
      await open(page, '/products')
      const shown = page.getByRole('banner').locator('img.avatar')
      await expect(shown).toBeVisible()
      const address = await shown.evaluate((img: HTMLImageElement) => new URL(img.src).pathname)
      await expect
        .poll(async () => (await keptAddresses(page)).filter((each) => each.startsWith('/media/')).length)
        .toBeGreaterThan(0)
      expect(await keptAddresses(page)).not.toContain(address)
    },
  )

  test(
    'an order is never put aside for later: without a connection nothing is sent, and nothing is sent when it is back',
    ON_DESKTOP,
    async ({ page, context, shopper }) => {
      await addHome(shopper.session)
      await fillCart(shopper.session, [[fiveHundred(), 1]])
      await open(page, '/cart')
      await lookedAfter(page)
      await expect(placeOrder(page)).toBeEnabled()
      const sent: string[] = []
      context.on('request', (request) => {
        if (request.url().includes('/place_order')) sent.push(request.url())
      })

      await context.setOffline(true)
      await expect(placeOrder(page)).toBeDisabled()
      const refused = await page.evaluate(() =>
        fetch('/api/order/place_order_COD', { method: 'POST', body: '{}' }).then(
          () => 'answered',
          () => 'failed',
        ),
      )
      expect(refused).toBe('failed')
      expect(sent).toHaveLength(1)
      await context.setOffline(false)
      await expect(placeOrder(page)).toBeEnabled()
      await page.waitForLoadState('networkidle')
      expect(sent).toHaveLength(1)
    },
  )
})
