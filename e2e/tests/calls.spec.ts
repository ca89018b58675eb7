import type { Request } from '@playwright/test'
import { atCheckout, placeOrder } from '../support/checkout.ts'
import { ALL, MINE, PLACE, SAVE_CART } from '../support/orders.ts'
import { SELLER_COOKIE, SHOPPER_COOKIE } from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import { expect, listen, ON_DESKTOP, open, REFUSED, test, toast } from '../support/shop.ts'
import { dropTimers } from '../support/timers.ts'

const CHECK_SELLER = '/api/seller/checkSeller'
const PROFILE = '/api/user/updateProfile'

/** The calls that were sent without this cookie. The browser does not report calls that ended with their page. */
async function without(cookie: string, calls: Request[]): Promise<string[]> {
  const found: string[] = []
  for (const call of calls) {
    const answered = await call.response().catch(() => null)
    if (answered && !(await call.allHeaders()).cookie?.includes(cookie))
      found.push(`${call.method()} ${pathOf(call)}`)
  }
  return found
}

const pathOf = (request: Request) => new URL(request.url()).pathname

// spec: 6.rules.2, 7.all.1
test(
  'whether somebody is a seller is asked when a page loads, of a device without a mark at its first touch, with the cookie',
  ON_DESKTOP,
  async ({ page, context, allowConsole }) => {
    allowConsole(REFUSED)
    // Without the check after twelve seconds, only the page load or an action causes calls.
    await dropTimers(page, 12_000)
    const asked = listen(page, CHECK_SELLER)
    await open(page, '/about')
    // The requests of the page load are sent before this one.
    await page.evaluate(() => fetch('/healthz'))
    expect(asked).toEqual([])
    const stranger = page.waitForResponse(`**${CHECK_SELLER}`)
    await page.getByRole('heading', { level: 1 }).click()
    expect((await stranger).status()).toBe(401)

    await (await sellerSession()).enter(context)
    const calls = listen(page, '/api/')
    const orders = page.waitForResponse(`**${ALL}*`)
    for (const path of ['/about', '/seller/orders']) {
      const seller = page.waitForResponse(`**${CHECK_SELLER}`)
      await open(page, path)
      expect(await (await seller).json(), path).toMatchObject({
        success: true,
        data: { email: expect.stringContaining('@') },
      })
    }
    expect(asked).toHaveLength(3)
    expect((await orders).status()).toBe(200)
    expect(await without(SELLER_COOKIE, calls)).toEqual([])
  },
)

// spec: 7.all.1
test(
  'cookies go along with every call: reading, saving, ordering and uploading',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const calls = listen(page, '/api/')
    await atCheckout(page, shopper.session)
    const saved = page.waitForResponse(`**${SAVE_CART}`)
    await page
      .getByRole('button', { name: /^Increase / })
      .first()
      .click()
    await saved
    const listed = page.waitForResponse(`**${MINE}*`)
    await placeOrder(page).click()
    await listed
    await open(page, '/profile')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await toast(page, 'Profile updated successfully!')

    const paths = calls.map(pathOf)
    for (const path of ['/api/user/isAuth', '/api/cart/get_cart', SAVE_CART, PLACE, MINE, PROFILE])
      expect(paths).toContain(path)
    expect(await without(SHOPPER_COOKIE, calls)).toEqual([])
  },
)
