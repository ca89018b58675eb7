import type { Page } from '@playwright/test'
import { newSeller, requireSecondStep, type Seller, sellerWithFirstPassword } from '../support/seller.ts'
import {
  expect,
  isPhone,
  listen,
  loginButton,
  ON_BOTH,
  ON_DESKTOP,
  open,
  REFUSED,
  reload,
  test,
  toast,
} from '../support/shop.ts'

const form = (page: Page) => page.getByRole('main').locator('form')
const nav = (page: Page) => page.getByRole('navigation', { name: 'Seller' })

async function logIn(page: Page, { email, password }: Seller) {
  await form(page).getByLabel('Email').fill(email)
  await form(page).getByLabel('Password', { exact: true }).fill(password)
  await form(page).getByRole('button', { name: 'Login' }).click()
}

/** On a phone some header entries are behind a button. */
async function inHeader(page: Page, name: 'Logout' | 'Home Page') {
  if (isPhone(page))
    await page
      .getByRole('banner')
      .getByRole('button', { name: /menu|more/i })
      .click()
  return page.getByRole('button', { name }).or(page.getByRole('link', { name })).filter({ visible: true })
}

async function withoutShopShell(page: Page) {
  await expect(page.getByPlaceholder('Search products...')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
}

// spec: 2.seller.1, 2.seller.3, 2.seller.4, 2.seller.5, 2.seller.6, 2.seller.7, 2.shell.2, 4.session.7, 4.session.8
// spec: 4.session.9, 7.answers.5, 7.seller.1, 7.seller.2
test(
  'a seller logs in, finds the pages of the dashboard, comes back to them, and logs out as seller and shopper',
  ON_BOTH,
  async ({ page, shopper }) => {
    const seller = newSeller()
    await open(page, '/seller')
    await withoutShopShell(page)
    await logIn(page, seller)
    await expect(nav(page)).toBeVisible()
    await expect(page).toHaveURL('/seller')
    await withoutShopShell(page)
    for (const [name, path] of [
      ['Orders', '/seller/orders'],
      ['Categories', '/seller/categories'],
      ['Product List', '/seller'],
    ] as const) {
      await nav(page).getByRole('link', { name }).click()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
    await (await inHeader(page, 'Home Page')).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeVisible()

    for (const [path, heading] of [
      ['/seller/add_product', 'Add New Product'],
      ['/seller', 'Product List'],
    ] as const) {
      await open(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(page).toHaveURL(path)
    }
    const logout = await inHeader(page, 'Logout')
    await expect(page.getByText(`Hello, ${seller.name}`).filter({ visible: true })).toHaveCount(1)
    await logout.click()
    await toast(page, 'Logout successful!')
    await expect(form(page).getByLabel('Password', { exact: true })).toBeVisible()
    expect(await shopper.session.isSignedIn()).toBe(false)
    await open(page, '/')
    await expect(loginButton(page)).toBeVisible()
  },
)

// Codes of an app are valid for their half minute only, so a test on the server proves them, where it controls the time.
test(
  'with a second step a wrong code does not open the dashboard, and a backup code does',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const seller = newSeller()
    const backupCode = requireSecondStep(seller)
    await open(page, '/seller')
    await logIn(page, seller)
    // A digit is missing: six could be right.
    await form(page).getByLabel('Code', { exact: true }).fill('00000')
    await form(page).getByRole('button', { name: 'Login' }).click()
    await expect(form(page).locator('.form-problem')).toBeVisible()
    await expect(nav(page)).toHaveCount(0)
    await form(page).getByRole('button', { name: 'Use a backup code' }).click()
    await form(page).getByLabel('Backup code').fill(backupCode)
    await form(page).getByRole('button', { name: 'Login' }).click()
    await expect(nav(page)).toBeVisible()
  },
)

test(
  'a first password leads to choosing another, and then into the dashboard',
  ON_DESKTOP,
  async ({ page }) => {
    const seller = sellerWithFirstPassword()
    await open(page, '/seller/orders')
    await logIn(page, seller)
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
    await reload(page)
    await page.getByLabel('Temporary password').fill(seller.password)
    await page.getByLabel('New password').fill('three sacks of jumla beans')
    await page.getByRole('button', { name: 'Change password' }).click()
    await toast(page, 'Your password has been changed.')
    await expect(nav(page)).toBeVisible()
  },
)

test('shoppers do not download the seller’s pages', ON_DESKTOP, async ({ page }) => {
  const scripts = listen(page, '.js')
  const urls = () => scripts.map((request) => request.url())
  await open(page, '/')
  // A page requests this script when it is complete and the browser is idle.
  await expect.poll(() => urls().some((url) => url.includes('/register-service-worker-'))).toBe(true)
  expect(urls().filter((url) => /seller/i.test(url))).toEqual([])
})
