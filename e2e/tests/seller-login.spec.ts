import type { Page } from '@playwright/test'
import { fault, SELLER_COOKIE, sessionOf, unreachable, unsuccessful, Visitor } from '../support/people.ts'
import { newSeller, sellerSession } from '../support/seller.ts'
import {
  avatar,
  BROKEN,
  expect,
  listen,
  loginButton,
  ON_DESKTOP,
  ON_PHONE,
  open,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const LOGIN = '/api/seller/login'
const LOGOUT = '/api/seller/logout'
const INTERNAL = 'Internal server error. Please try again later.'

const form = (page: Page) => page.getByRole('main').locator('form')

async function logIn(page: Page, { email, password }: { email: string; password: string }) {
  await form(page).getByLabel('Email').fill(email)
  await form(page).getByLabel('Password', { exact: true }).fill(password)
  await form(page).getByRole('button', { name: 'Login' }).click()
}

/** Where the small screen keeps what does not fit into the header. */
async function inHeader(page: Page, name: 'Logout' | 'Home Page') {
  const wanted = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
  const more = page.getByRole('banner').getByRole('button', { name: /menu|more/i })
  if (!(await wanted.isVisible()) && (await more.isVisible())) await more.click()
  return wanted
}

// spec: 2.seller.1, 2.shell.2
test('a visitor sees the seller login and neither the shop’s header nor its footer', async ({ page }) => {
  await open(page, '/seller')
  await expect(form(page).getByLabel('Email')).toBeVisible()
  await expect(form(page).getByLabel('Password', { exact: true })).toBeVisible()
  await expect(form(page).getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(page.getByPlaceholder('Search products...')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await expect(page.getByTestId('toast')).toHaveCount(0)
})

// spec: 2.seller.2
test('forgot-password and sign-up are there, and do nothing', ON_DESKTOP, async ({ page }) => {
  await open(page, '/seller')
  const sent = listen(page, '/api/')
  for (const name of [/forgot password/i, /sign up/i]) {
    const link = page.getByRole('main').getByRole('link', { name })
    await expect(link).toHaveAttribute('aria-disabled', 'true')
    await link.click({ force: true })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/seller')
    await expect(form(page).getByLabel('Email')).toBeVisible()
  }
  expect(sent.filter((request) => !/isAuth|checkSeller/.test(request.url()))).toEqual([])
})

for (const path of ['/seller/add_product', '/seller/orders', '/seller/categories']) {
  // spec: 2.seller.1
  test(`a visitor at ${path} sees the login too`, ON_DESKTOP, async ({ page }) => {
    await open(page, path)
    await expect(form(page).getByLabel('Password', { exact: true })).toBeVisible()
  })
}

// spec: 6.seller.1, 8.seller.1
test(
  'a wrong password shows the server’s message, and a shopper’s password is no seller’s',
  ON_DESKTOP,
  async ({ page, allowConsole, shopper }) => {
    allowConsole(REFUSED)
    await open(page, '/seller')
    for (const attempt of [{ ...newSeller(), password: 'not-the-password' }, shopper]) {
      const answered = page.waitForResponse(`**${LOGIN}`)
      await logIn(page, attempt)
      expect((await answered).status()).toBe(401)
      await toast(page, 'Wrong email or password.')
      await expect(form(page).getByText('Wrong email or password.')).toBeVisible()
    }
  },
)

// spec: 8.seller.2
test(`a 500 at the seller login: '${INTERNAL}'`, ON_DESKTOP, async ({ page, allowConsole }) => {
  allowConsole(BROKEN)
  await fault(page, LOGIN)
  await open(page, '/seller')
  await logIn(page, newSeller())
  await toast(page, INTERNAL)
  await page.unrouteAll()
})

test(
  'no answer at the seller login is said too, and the form can be sent again',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    allowConsole(BROKEN)
    await unreachable(page, LOGIN)
    const seller = newSeller()
    await open(page, '/seller')
    await logIn(page, seller)
    await expect(page.getByTestId('toast')).toHaveCount(1)
    await page.unrouteAll()
    await logIn(page, seller)
    await expect(page.getByRole('navigation', { name: 'Seller' })).toBeVisible()
  },
)

// spec: 2.seller.3, 2.seller.4, 2.seller.5, 2.seller.6, 2.shell.2, 4.session.7, 7.answers.5, 7.seller.1
test('logging in leads to the desk: logo, Home Page, greeting, Logout and the three links', async ({
  page,
}) => {
  const seller = newSeller()
  await open(page, '/seller')
  await logIn(page, seller)
  await expect(page).toHaveURL('/seller')
  const nav = page.getByRole('navigation', { name: 'Seller' })
  await expect(nav.getByRole('link', { name: 'Product List' })).toHaveAttribute('href', '/seller')
  await expect(nav.getByRole('link', { name: 'Orders' })).toHaveAttribute('href', '/seller/orders')
  await expect(nav.getByRole('link', { name: 'Categories' })).toHaveAttribute('href', '/seller/categories')
  await expect(page.getByRole('banner').getByText('Thunse')).toBeVisible()
  await expect(await inHeader(page, 'Logout')).toBeVisible()
  await expect(page.getByText(`Hello, ${seller.name}`).filter({ visible: true })).toHaveCount(1)
  await expect(page.getByPlaceholder('Search products...')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)

  await nav.getByRole('link', { name: 'Orders' }).click()
  await expect(page).toHaveURL('/seller/orders')
  await nav.getByRole('link', { name: 'Categories' }).click()
  await expect(page).toHaveURL('/seller/categories')
  await nav.getByRole('link', { name: 'Product List' }).click()
  await expect(page).toHaveURL('/seller')
  await (await inHeader(page, 'Home Page')).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeVisible()
})

// spec: 2.seller.3, 2.seller.7, 4.session.2, 4.session.8
test(
  'a seller who comes back finds the desk and not the login, on every page of it',
  ON_DESKTOP,
  async ({ page, context }) => {
    await (await sellerSession()).enter(context)
    for (const [path, heading] of [
      ['/seller', 'Product List'],
      ['/seller/add_product', 'Add New Product'],
      ['/seller/orders', 'Orders'],
      ['/seller/categories', 'Categories'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('navigation', { name: 'Seller' })).toBeVisible()
      await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    }
  },
)

// spec: 2.seller.5, 4.session.9, 7.seller.2
test('Logout ends the seller’s and the shopper’s session, here and on the server', async ({
  page,
  context,
  shopper,
}) => {
  const seller = await sellerSession()
  await seller.enter(context)
  await open(page, '/')
  await expect(avatar(page, shopper)).toBeVisible()
  await open(page, '/seller')
  await (await inHeader(page, 'Logout')).click()
  await toast(page, 'Logout successful!')
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  expect((await seller.call('GET', '/api/seller/checkSeller')).status).toBe(401)
  expect(await shopper.session.isSignedIn()).toBe(false)
  await open(page, '/')
  await expect(loginButton(page)).toBeVisible()
})

for (const way of ['unsuccessful', 'no connection', 'a broken server'] as const) {
  // spec: 8.seller.3
  test(
    `a seller’s logout that fails (${way}): 'Logout failed. Please try again.', still at the desk`,
    ON_DESKTOP,
    async ({ page, context, allowConsole }) => {
      allowConsole(BROKEN)
      const seller = await sellerSession()
      await seller.enter(context)
      await { unsuccessful, 'no connection': unreachable, 'a broken server': fault }[way](page, LOGOUT)
      await open(page, '/seller')
      await (await inHeader(page, 'Logout')).click()
      await toast(page, 'Logout failed. Please try again.')
      await expect(page.getByRole('navigation', { name: 'Seller' })).toBeVisible()
      expect((await seller.call('GET', '/api/seller/checkSeller')).status).toBe(200)
    },
  )
}

// spec: 4.session.2, 6.seller.1
test(
  'a shopper’s session opens no seller’s door, nor the other way round',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const swapped = new Visitor()
    swapped.cookies.set(SELLER_COOKIE, shopper.session.cookies.get('__Host-sid') ?? '')
    expect((await swapped.call('GET', '/api/seller/checkSeller')).status).toBe(401)
    await open(page, '/seller')
    await expect(form(page).getByLabel('Password', { exact: true })).toBeVisible()
    const seller = await sellerSession()
    expect(await seller.isSignedIn()).toBe(false)
    expect((await (await sessionOf(page.context())).call('GET', '/api/seller/checkSeller')).status).toBe(401)
  },
)

test('shoppers do not download the seller’s desk', ON_DESKTOP, async ({ page }) => {
  const scripts = listen(page, '.js')
  await open(page, '/')
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.map((request) => request.url()).filter((url) => /seller/i.test(url))).toEqual([])
})
