import { expect, goTo, isPhone, open, section, test } from '../support/shop.ts'

const PAGES = [
  { link: 'Products', path: '/products', heading: 'Products' },
  { link: 'Categories', path: '/categories', heading: 'Shop by Category' },
  { link: 'Offers', path: '/offers', heading: "Today's Best Offers & Deals" },
  { link: 'Home', path: '/', heading: 'Welcome to Thunse' },
]

// spec: 2.header.2, 2.header.3, 2.header.4, 2.header.6, 2.header.7
test('the header holds logo, four links, search, cart and Login, and a visitor sees no error', async ({
  page,
}) => {
  await open(page, '/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Thunse' })).toHaveAttribute('href', '/')
  if (!isPhone(page)) {
    for (const { link, path } of PAGES) {
      await expect(header.getByRole('link', { name: link, exact: true })).toHaveAttribute('href', path)
    }
    await expect(header.getByRole('button', { name: 'Open menu' })).toBeHidden()
  }
  await expect(header.getByPlaceholder('Search products...')).toBeVisible()
  await expect(header.getByRole('link', { name: /^Cart/ })).toHaveAttribute('href', '/cart')
  await expect(header.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(page.getByTestId('toast')).toHaveCount(0)
})

// spec: 2.header.3, 2.shell.1
test('every navigation link opens its page at the top and marks itself as current', async ({ page }) => {
  await open(page, '/')
  for (const { link, path, heading } of PAGES) {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
    await goTo(page, link)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    if (!isPhone(page)) {
      await expect(page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')).toHaveText(
        link,
      )
    }
  }
})

// spec: 2.header.2, 2.header.6, 2.shell.1
test('the logo leads home and the cart icon to the cart; going back also starts at the top', async ({
  page,
}) => {
  await open(page, '/products')
  await page.getByRole('banner').getByRole('link', { name: 'Thunse' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Thunse')
  await page.evaluate(() => window.scrollTo(0, 900))
  await page.getByRole('link', { name: /^Cart/ }).evaluate((link: HTMLElement) => link.click())
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeVisible()
  await expect(page).toHaveURL('/cart')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Thunse' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
})

// spec: 2.footer.1, 2.footer.2, 2.footer.3
test('the footer has quick links, contact details and social links', async ({ page }) => {
  await open(page, '/')
  const footer = page.getByRole('contentinfo')
  for (const path of ['/about', '/products', '/categories']) {
    await expect(footer.locator(`a[href="${path}"]`)).toHaveCount(1)
  }
  await expect(footer.locator('a[href^="tel:"]')).toHaveText(/\d{3}/)
  await expect(footer.locator('a[href^="mailto:"]')).toHaveText(/@/)
  expect(await footer.locator('a[href^="https://"]').count()).toBeGreaterThan(0)
  await footer.locator('a[href="/about"]').click()
  await expect(page).toHaveURL('/about')
  await expect(page.getByRole('heading', { level: 1, name: 'About Thunse' })).toBeVisible()
})

test('the about page says what we sell, where we deliver, what it costs and how to pay', async ({ page }) => {
  await open(page, '/about')
  const main = page.getByRole('main')
  await expect(main).toContainText('Rs. 20')
  await expect(main).toContainText('Rs. 1000')
  await expect(main).toContainText('13%')
  await expect(main).toContainText('Khalti')
  await expect(main).toContainText('Cash on delivery')
  await expect(page).toHaveTitle('About Thunse – Thunse')
})

test('an unknown address says so, with the header, and leads back to the shop', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/status of 404/)
  const answer = await page.goto('/no-such-page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Go to the shop' }).click()
  await expect(page).toHaveURL('/')
  await expect(section(page, 'Featured Essentials')).toBeVisible()
})

// spec: 2.shell.3, 6.visitor.4
test('Login opens a dialog on demand and gives the focus back when it closes', async ({ page }) => {
  await open(page, '/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const login = page.getByRole('banner').getByRole('button', { name: 'Login' })
  await login.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(login).toBeFocused()
})
