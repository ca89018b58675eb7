import { product, productPath } from './api.ts'
import { type BuyingScreen, groceries } from './buying-screens.ts'
import { register, sessionOf, somebody } from './people.ts'

/** Favourites, products to buy again and a back-in-stock notice. */
export const WISHLIST_SCREENS: BuyingScreen[] = [
  {
    name: 'favourites',
    ordinary: true,
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const shopper = await register(somebody('Asha Rai'))
      for (const { id } of await groceries()) await shopper.must('PUT', `/api/wishlist/favourites/${id}`, {})
      await shopper.enter(page.context())
      await page.goto('/favourites')
      await page.locator('.heart[aria-pressed=true]').first().waitFor()
    },
  },
  {
    name: 'favourites-empty',
    path: '/favourites',
    who: 'shopper',
    prepare: (page) => page.locator('.state-panel a').waitFor(),
  },
  {
    name: 'home-buy-again',
    path: '/',
    who: 'buyer',
    prepare: async (page) => {
      await page.locator('.rails-place').scrollIntoViewIfNeeded()
      await page.locator('.product-rail').first().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'stock-notice',
    path: '/about',
    who: 'shopper',
    prepare: async (page) => {
      const gone = await product(({ stock }) => stock === 0)
      // A press would take the notice back if another window has asked for it already.
      await (await sessionOf(page.context())).must('PUT', `/api/wishlist/stock_notices/${gone.id}`, {})
      await page.goto(productPath(gone))
      await page.locator('.stock-notice [aria-pressed=true]').waitFor()
    },
  },
]
