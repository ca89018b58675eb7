import type { Page } from '@playwright/test'
import {
  fault,
  logIn,
  SELLER_COOKIE,
  SHOPPER_COOKIE,
  unreachable,
  unsuccessful,
  Visitor,
} from '../support/people.ts'
import {
  avatar,
  BROKEN,
  drawn,
  expect,
  listen,
  loginButton,
  noToast,
  ON_DESKTOP,
  ON_PHONE,
  open,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const LOGOUT = '/api/user/logout'
const logout = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })

// spec: 2.header.8, 2.header.9, 2.header.10, 2.header.11
test('a signed-in person has an avatar menu with the name, Profile, My Orders and Logout instead of Login', async ({
  page,
  shopper,
}) => {
  await open(page, '/about')
  await expect(loginButton(page)).toHaveCount(0)
  const button = avatar(page, shopper)
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  const header = page.getByRole('banner')
  await expect(header.getByText(shopper.name, { exact: true })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/profile')
  await expect(header.getByRole('link', { name: 'My Orders' })).toHaveAttribute('href', '/orders')
  await expect(logout(page)).toBeVisible()

  await header.getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(logout(page)).toHaveCount(0)
  await button.click()
  await header.getByRole('link', { name: 'My Orders' }).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
})

// spec: 2.header.12
test('the hamburger holds the same account links', ON_PHONE, async ({ page, shopper }) => {
  await open(page, '/about')
  await expect(avatar(page, shopper)).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  const sheet = page.getByRole('dialog', { name: 'Menu' })
  await expect(sheet.getByText(shopper.name, { exact: true })).toBeVisible()
  await expect(sheet.getByRole('link', { name: 'My Orders' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Logout' })).toBeVisible()
  await sheet.getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

// spec: 2.header.11, 7.shopper.3, 8.success.2
test("Logout: 'Logout successful!', Login is back, and the session is over on the server too", async ({
  page,
  shopper,
}) => {
  await open(page, '/about')
  await avatar(page, shopper).click()
  await logout(page).click()
  await toast(page, 'Logout successful!')
  await expect(loginButton(page)).toBeVisible()
  await expect(avatar(page, shopper)).toHaveCount(0)
  expect(await shopper.session.isSignedIn(), 'a cookie kept from before is worth nothing').toBe(false)
  const names = (await page.context().cookies()).map(({ name }) => name)
  expect(names.filter((name) => [SHOPPER_COOKIE, 'session'].includes(name))).toEqual([])
  await page.reload()
  await expect(loginButton(page)).toBeVisible()
})

// spec: 8.session.11
test(
  "an unsuccessful logout: 'Logout failed. Please try again.', still signed in",
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await unsuccessful(page, LOGOUT)
    await open(page, '/about')
    await avatar(page, shopper).click()
    await logout(page).click()
    await toast(page, 'Logout failed. Please try again.')
    await expect(avatar(page, shopper)).toBeVisible()
    await page.unrouteAll()
    await logout(page).click()
    await toast(page, 'Logout successful!')
  },
)

for (const way of ['no connection', 'a broken server'] as const) {
  // spec: 8.session.12
  test(
    `a logout with ${way}: 'An error occurred during logout. Please try again.', still signed in`,
    ON_DESKTOP,
    async ({ page, shopper, allowConsole }) => {
      allowConsole(BROKEN)
      await (way === 'no connection' ? unreachable : fault)(page, LOGOUT)
      await open(page, '/about')
      await avatar(page, shopper).click()
      await logout(page).click()
      await toast(page, 'An error occurred during logout. Please try again.')
      await expect(avatar(page, shopper)).toBeVisible()
      expect(await shopper.session.isSignedIn()).toBe(true)
    },
  )
}

test('the session survives a reload and a new page, and what the header shows does not jump', async ({
  page,
  shopper,
}) => {
  await open(page, '/about')
  await expect(avatar(page, shopper)).toBeVisible()
  await page.reload()
  await expect(avatar(page, shopper)).toBeVisible()
  const second = await page.context().newPage()
  await open(second, '/products')
  await expect(avatar(second, shopper)).toBeVisible()
})

test(
  'two browsers have two sessions: leaving one leaves the other',
  ON_DESKTOP,
  async ({ page, browser, shopper }) => {
    const elsewhere = await browser.newContext()
    await (await logIn(shopper)).enter(elsewhere)
    const other = await elsewhere.newPage()
    await open(page, '/about')
    await open(other, `${test.info().project.use.baseURL}/about`)
    await expect(avatar(other, shopper)).toBeVisible()
    await avatar(page, shopper).click()
    await logout(page).click()
    await toast(page, 'Logout successful!')
    await other.reload()
    await expect(avatar(other, shopper)).toBeVisible()
    await page.reload()
    await expect(loginButton(page)).toBeVisible()
    await elsewhere.close()
  },
)

// spec: 4.session.1, 4.session.2, 4.session.3
test(
  'a visitor is signed out in silence, and the checks answer 401',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(/status of 401/)
    const visitor = new Visitor()
    for (const call of ['/api/user/isAuth', '/api/seller/checkSeller'])
      expect(await visitor.call('GET', call)).toMatchObject({
        status: 401,
        body: { success: false, code: 'signed_out' },
      })
    const asked = listen(page, '/isAuth')
    await open(page, '/about')
    // Whoever cannot be signed in is asked about at the first sign of life.
    await page.keyboard.press('Shift')
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await (await asked[0]?.response())?.finished()
    await noToast(page)
    await expect(loginButton(page)).toBeVisible()
  },
)

// spec: 4.session.1, 4.session.3
test(
  'a session that has ended elsewhere is signed out in silence',
  ON_DESKTOP,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(/status of 401/)
    await shopper.session.must('POST', '/api/user/sessions/end_all')
    const answered = page.waitForResponse('**/api/user/isAuth')
    await open(page, '/about')
    expect((await answered).status()).toBe(401)
    await expect(loginButton(page)).toBeVisible()
    await noToast(page)
  },
)

for (const [who, call, hint, cookie] of [
  ['user', '/api/user/isAuth', 'session=shopper', SHOPPER_COOKIE],
  ['seller', '/api/seller/checkSeller', 'seller_session=1', SELLER_COOKIE],
] as const) {
  // spec: 8.session.1, 8.session.2
  test(
    `a 500 from the ${who} check: 'Internal server error. Please try again later.'`,
    ON_DESKTOP,
    async ({ page, context, allowConsole }) => {
      allowConsole(BROKEN, REFUSED)
      const visitor = new Visitor()
      const [name = '', value = ''] = hint.split('=')
      visitor.cookies.set(name, value).set(cookie, 'x'.repeat(43))
      await visitor.enter(context)
      await fault(page, call)
      const answered = page.waitForResponse(`**${call}`)
      await open(page, '/about')
      expect((await answered).status()).toBe(500)
      await toast(page, 'Internal server error. Please try again later.')
      await expect(loginButton(page)).toBeVisible()
    },
  )
}

test(
  'the orders of a visitor: heading, a word about signing in, and the dialog on demand',
  ON_PHONE,
  async ({ page }) => {
    const asked = listen(page, '/api/order/')
    await open(page, '/orders')
    await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
    await drawn(page)
    expect(asked).toHaveLength(0)
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('dialog', { name: 'Login' })).toBeVisible()
  },
)
