import type { Page, Route } from '@playwright/test'
import { type BuyingScreen, groceries, lines } from './buying-screens.ts'
import { ALL, MINE } from './orders.ts'
import { CATEGORIES, PRODUCTS } from './seller-catalogue.ts'

/** Screens while responses are pending, after they have failed, and with empty responses. */

const PUBLIC_CATEGORIES = '/api/category/get_category_public'
const GOODS = '/api/product/get_products?*'
const ONE = '/api/product/get_product/*'
const IN_CART = '/api/product/get_products_by_ids*'

type Answer = (route: Route) => unknown
/** Never responds. */
const held: Answer = () => undefined
const broken: Answer = (route) => route.fulfill({ status: 500, json: { success: false, message: '' } })
/** The shop's own response without its content. */
const empty: Answer = async (route) => {
  const answer = await route.fetch()
  const json = { ...(await answer.json()), data: [], nextCursor: null, total: 0, matches: [], similar: [] }
  if (json.counts) json.counts = Object.fromEntries(Object.keys(json.counts).map((key) => [key, 0]))
  await route.fulfill({ response: answer, json })
}

const answering = (page: Page, answer: Answer, ...calls: string[]) =>
  Promise.all(calls.map((call) => page.route(`**${call}`, (route) => void answer(route))))

const skeleton = (page: Page) => page.locator('main [aria-busy=true] .skeleton:visible').first().waitFor()
const problem = (page: Page) => page.locator('main .problem button').first().waitFor()
const panel = (page: Page) => page.locator('main .state-panel').first().waitFor()
const toasted = (page: Page) => page.locator('[data-testid=toast]').first().waitFor()

/** The first page contains its data; the data of the next page is requested on the way there. */
const onTheWay = (
  name: string,
  [from, link]: [string, string],
  [answer, calls]: [Answer, string[]],
  seen: (page: Page) => Promise<unknown>,
): BuyingScreen => ({
  name,
  path: from,
  who: 'visitor',
  prepare: async (page) => {
    await answering(page, answer, ...calls)
    await page.locator(link).first().click()
    await seen(page)
  },
})

/** Pages whose data always needs a separate request. */
const visited = (
  name: string,
  path: string,
  who: BuyingScreen['who'],
  [answer, calls]: [Answer, string[]],
  seen: (page: Page) => Promise<unknown>,
): BuyingScreen => ({
  name,
  path: '/about',
  who,
  prepare: async (page) => {
    await answering(page, answer, ...calls)
    await page.goto(path)
    await seen(page)
  },
})

export async function keepInCart(page: Page, cart: Record<string, number>) {
  await page.evaluate((text) => localStorage.setItem('thunse.cart', text), JSON.stringify(cart))
}

const someGoods = async () =>
  Object.fromEntries(lines(await groceries(), 1, 2).map(([{ id }, quantity]) => [id, quantity]))

const cartWhile = (name: string, answer: Answer, seen: (page: Page) => Promise<unknown>): BuyingScreen => ({
  name,
  path: '/about',
  who: 'visitor',
  prepare: async (page) => {
    await keepInCart(page, await someGoods())
    await answering(page, answer, IN_CART)
    await page.goto('/cart')
    await seen(page)
  },
})

const offline = (
  name: string,
  path: string,
  who: BuyingScreen['who'],
  prepare?: (page: Page) => Promise<unknown>,
): BuyingScreen => ({
  name,
  path,
  who,
  prepare: async (page) => {
    await prepare?.(page)
    await page.context().setOffline(true)
    await page.locator('.offline-bar, .offline-note').first().waitFor()
  },
})

const HOME = ['/about', 'header a[href="/"]'] as [string, string]
const TO_PRODUCTS = ['/about', 'footer a[href="/products"]'] as [string, string]
const TO_CATEGORIES = ['/about', 'footer a[href="/categories"]'] as [string, string]
const TO_CATEGORY = ['/categories', '.category-card a'] as [string, string]
const TO_PRODUCT = ['/products', 'article.card a'] as [string, string]

export const BAD_DAY_SCREENS: BuyingScreen[] = [
  onTheWay('home-loading', HOME, [held, [GOODS, PUBLIC_CATEGORIES]], skeleton),
  onTheWay('categories-loading', TO_CATEGORIES, [held, [PUBLIC_CATEGORIES]], skeleton),
  onTheWay('category-loading', TO_CATEGORY, [held, [GOODS]], skeleton),
  {
    name: 'products-slow',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      // The app must have started first: it pauses between its files and would stop with the clock.
      await page.clock.install()
      await answering(page, held, GOODS)
      await page.locator('footer a[href="/products"]').click()
      // The clock stands still between these steps, but the network does not.
      for (let step = 0; step < 40 && (await page.locator('main .slow-connection').count()) === 0; step++)
        await page.clock.runFor(250)
      await skeleton(page)
      await page.clock.runFor(8_000)
      await page.locator('.slow-connection:not(:empty)').first().waitFor()
      await page.clock.resume()
    },
  },
  cartWhile('cart-loading', held, skeleton),
  visited('orders-loading', '/orders', 'buyer', [held, [`${MINE}?*`]], skeleton),
  visited('profile-loading', '/profile', 'shopper', [held, ['/api/user/isAuth']], (page) =>
    page.locator('main .skeleton:visible').first().waitFor(),
  ),
  visited('seller-loading', '/seller', 'seller', [held, ['/api/seller/checkSeller']], (page) =>
    page.locator('.skeleton:visible').first().waitFor(),
  ),
  visited('seller-products-loading', '/seller', 'seller', [held, [`${PRODUCTS}?*`]], skeleton),
  visited('seller-orders-loading', '/seller/orders', 'seller', [held, [`${ALL}*`]], skeleton),
  visited('seller-categories-loading', '/seller/categories', 'seller', [held, [`${CATEGORIES}*`]], skeleton),

  onTheWay('home-problem', HOME, [broken, [GOODS, PUBLIC_CATEGORIES]], problem),
  onTheWay('products-problem', TO_PRODUCTS, [broken, [GOODS]], problem),
  onTheWay('categories-problem', TO_CATEGORIES, [broken, [PUBLIC_CATEGORIES]], problem),
  onTheWay('category-problem', TO_CATEGORY, [broken, [GOODS]], problem),
  onTheWay('product-problem', TO_PRODUCT, [broken, [ONE]], problem),
  cartWhile('cart-problem', broken, problem),
  visited('orders-problem', '/orders', 'buyer', [broken, [`${MINE}?*`]], problem),
  visited('seller-products-problem', '/seller', 'seller', [broken, [`${PRODUCTS}?*`]], problem),
  visited('seller-orders-problem', '/seller/orders', 'seller', [broken, [`${ALL}*`]], problem),
  visited('seller-categories-problem', '/seller/categories', 'seller', [broken, [`${CATEGORIES}*`]], problem),
  visited('seller-overview-problem', '/seller/overview', 'seller', [broken, ['/api/order/get_o*']], problem),
  onTheWay('home-empty', HOME, [empty, [GOODS, PUBLIC_CATEGORIES]], (page) =>
    page.locator('main h1').waitFor(),
  ),
  onTheWay('categories-none', TO_CATEGORIES, [empty, [PUBLIC_CATEGORIES]], panel),
  onTheWay('category-empty', TO_CATEGORY, [empty, [GOODS]], panel),
  visited('seller-products-empty', '/seller', 'seller', [empty, [`${PRODUCTS}?*`]], panel),
  visited('seller-orders-empty', '/seller/orders', 'seller', [empty, [`${ALL}*`]], panel),
  visited('seller-categories-empty', '/seller/categories', 'seller', [empty, [`${CATEGORIES}*`]], panel),

  offline('products-offline', '/products', 'visitor'),
  offline('offers-offline', '/offers', 'visitor'),
  offline('cart-offline', '/cart', 'buyer', (page) => page.locator('.order-submit button:enabled').waitFor()),
  offline('add-address-offline', '/add_address', 'shopper', (page) => page.locator('main form').waitFor()),
  offline('seller-orders-offline', '/seller/orders', 'seller', (page) =>
    page.locator('[data-testid=order-card]').first().waitFor(),
  ),

  {
    name: 'products-added',
    path: '/products?search=rice',
    who: 'visitor',
    prepare: async (page) => {
      await page.locator('main article.card button.add').first().click()
      await toasted(page)
    },
  },
  {
    name: 'cart-line-removed',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      await keepInCart(page, await someGoods())
      await page.goto('/cart')
      await page.locator('.cart-line-remove').first().click()
      await toasted(page)
    },
  },
  {
    name: 'newsletter-subscribed',
    path: '/offers',
    who: 'visitor',
    fresh: true,
    prepare: async (page) => {
      await page.route('**/api/subscriber/add_subscriber', (route) =>
        route.fulfill({ json: { success: true, message: '', data: null } }),
      )
      await subscribe(page)
    },
  },
  {
    name: 'newsletter-refused',
    path: '/offers',
    who: 'visitor',
    prepare: async (page) => {
      await page.route('**/api/subscriber/add_subscriber', (route) =>
        route.fulfill({ status: 409, json: { success: false, code: 'subscriber_exists', message: '' } }),
      )
      await subscribe(page)
    },
  },
]

async function subscribe(page: Page) {
  await page.locator('.newsletter-form input').fill('maya.gurung@example.com')
  await page.locator('.newsletter-form button').click()
  await toasted(page)
}
