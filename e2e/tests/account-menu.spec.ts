import { logIn, SHOPPER_COOKIE } from '../support/people.ts'
import { avatar, expect, loginButton, ON_DESKTOP, open, reload, test, toast } from '../support/shop.ts'

// spec: 2.header.8, 2.header.9, 2.header.10, 2.header.11, 2.header.12
test('the avatar menu and the hamburger lead to the profile and the orders, and offer the logout', async ({
  page,
  shopper,
}) => {
  await open(page, '/about')
  await expect(loginButton(page)).toHaveCount(0)
  const header = page.getByRole('banner')
  await avatar(page, shopper).click()
  await expect(header.getByText(shopper.name, { exact: true })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/profile')
  await expect(header.getByRole('button', { name: 'Logout' })).toBeVisible()
  await header.getByRole('link', { name: 'My Orders' }).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
  await expect(header.getByRole('button', { name: 'Logout' }), 'the menu has closed').toHaveCount(0)

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
test(
  'logging out on the profile page leads home and leaves another browser signed in',
  ON_DESKTOP,
  async ({ page, browser, shopper }) => {
    const elsewhere = await browser.newContext({ baseURL: test.info().project.use.baseURL ?? '' })
    await (await logIn(shopper)).enter(elsewhere)
    const other = await elsewhere.newPage()
    await open(page, '/profile')
    await reload(page)
    await avatar(page, shopper).click()
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await toast(page, 'Logout successful!')
    await expect(page).toHaveURL('/')
    await expect(loginButton(page)).toBeVisible()
    expect(await shopper.session.isSignedIn(), 'a cookie kept from before is worth nothing').toBe(false)
    const names = (await page.context().cookies()).map(({ name }) => name)
    expect(names.filter((name) => [SHOPPER_COOKIE, '__Host-session', 'session'].includes(name))).toEqual([])

    await open(other, '/about')
    await expect(avatar(other, shopper)).toBeVisible()
    await elsewhere.close()
  },
)
