import type { Page } from '@playwright/test'
import { screen, visible, withAnswers } from './answered-screens.ts'
import type { BuyingScreen } from './buying-screens.ts'

const DASHAIN = {
  code: 'DASHAIN-10',
  percent: 10,
  maxDiscount: 200,
  amount: null,
  minimum: 500,
  startsAt: '2026-11-17T18:15:00Z',
  endsAt: '2026-11-30T18:15:00Z',
  usesPerCustomer: 1,
  about: 'For the festival, on everything in the shop',
  aboutNe: 'चाडपर्वका लागि, पसलका सबै सामानमा',
}
const FIFTY = {
  ...DASHAIN,
  code: 'NAMASTE',
  percent: null,
  maxDiscount: null,
  amount: 50,
  minimum: 0,
  usesPerCustomer: 3,
  about: '',
  aboutNe: '',
}
const seller = (id: string, terms: object, changes: object) => ({
  ...terms,
  _id: id,
  totalUses: null,
  active: true,
  public: true,
  version: 1,
  state: 'running',
  uses: 0,
  given: 0,
  ...changes,
})
const ALL = [
  seller('c-1', DASHAIN, { totalUses: 500, uses: 128, given: 18_450.5 }),
  seller('c-2', FIFTY, { state: 'planned' }),
  seller(
    'c-3',
    { ...FIFTY, code: 'LUNCH-CLUB-MEMBERS' },
    { public: false, state: 'ended', uses: 1, given: 50 },
  ),
  seller('c-4', { ...DASHAIN, code: 'HALF' }, { active: false, public: false, state: 'inactive' }),
]

/** The prices with a tenth off, from what the cart itself asked for. */
async function tenthOff(page: Page) {
  let prices: Record<string, number> = {}
  await page.route('**/api/product/get_products_by_ids**', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: { _id: string; price: number }[] }
    prices = Object.fromEntries(data.map(({ _id, price }) => [_id, Math.floor(price * 90) / 100]))
    await route.fulfill({ response })
  })
  await page.route('**/api/cart/quote_coupon', (route) =>
    route.fulfill({
      json: { success: true, message: '', data: { code: 'DASHAIN-10', prices, quote: {} } },
    }),
  )
}

async function openField(page: Page) {
  await page.locator('#coupon summary').click()
  await page.locator('#coupon input').fill('dashain-10')
}

const listed = visible('[data-testid=coupon]')
const openSeller = withAnswers('/seller/coupons', { '/api/coupon/get_coupons': ALL }, listed)

/** Coupons in the cart, on the page of offers and in the dashboard. */
export const COUPON_SCREENS: BuyingScreen[] = [
  {
    name: 'cart-coupon',
    path: '/about',
    who: 'buyer',
    prepare: async (page) => {
      await tenthOff(page)
      await page.goto('/cart')
      await openField(page)
      await page.locator('#coupon [type=submit]').click()
      await page.locator('[data-testid=summary-discount]').waitFor()
    },
  },
  {
    name: 'cart-coupon-refused',
    path: '/cart',
    who: 'buyer',
    prepare: async (page) => {
      await openField(page)
      await page.locator('#coupon input').fill('DASAIN-10')
      await page.locator('#coupon [type=submit]').click()
      await page.locator('#coupon .field-error').waitFor()
    },
  },
  screen(
    'offers-coupons',
    // The page itself contains the shop's coupons, so it is opened from another one, which then asks for them.
    withAnswers('/about', { '/api/coupon/get_public_coupons': [DASHAIN, FIFTY] }, async (page) => {
      await page.locator('.toaster').waitFor({ state: 'attached' })
      await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/offers"]')?.click())
      await listed(page)
    }),
    { who: 'visitor' },
  ),
  screen('seller-coupons', openSeller),
  screen('seller-coupon-form', async (page) => {
    await openSeller(page)
    await page.locator('[data-testid=coupon] .button-outline').first().click()
    await page.locator('#coupon-dialog form').waitFor()
  }),
  screen('seller-coupon-problems', async (page) => {
    await openSeller(page)
    await page.locator('.seller-page-tools .button').click()
    await page.locator('#coupon-dialog [type=submit]').click()
    await page.locator('#coupon-dialog .field-error').first().waitFor()
  }),
]
