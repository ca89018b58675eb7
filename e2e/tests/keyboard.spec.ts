import type { Page } from '@playwright/test'
import { product, productPath } from '../support/api.ts'
import {
  avatar,
  cartCount,
  expect,
  isPhone,
  loginButton,
  ON_DESKTOP,
  ON_PHONE,
  open,
  test,
  toast,
} from '../support/shop.ts'

/** What has the focus, and whether one can see that it has it. */
async function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    const clone = element.cloneNode(true) as HTMLElement
    for (const hidden of clone.querySelectorAll('.sr-only')) hidden.remove()
    return {
      name:
        element.getAttribute('aria-label') ??
        element.getAttribute('placeholder') ??
        (clone.textContent ?? '').trim(),
      ring: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      onScreen: box.width > 0 && box.top >= 0 && box.bottom <= innerHeight,
    }
  })
}

async function tab(page: Page, key = 'Tab') {
  await page.keyboard.press(key)
  const now = await focused(page)
  expect(now.ring, `a visible ring on '${now.name}'`).toBe(true)
  return now
}

test('K1: the first stop is Skip to content, and Enter jumps to the main part', async ({ page }) => {
  await open(page, '/')
  const skip = await tab(page)
  expect(skip).toMatchObject({ name: 'Skip to content', onScreen: true })
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Shop Now' })).toBeFocused()
})

test('K2: the header is walked in reading order with a visible ring on every stop', async ({ page }) => {
  await open(page, '/')
  await tab(page)
  const stops: string[] = []
  do {
    const stop = await tab(page)
    expect(stop.onScreen, `'${stop.name}' is on the screen`).toBe(true)
    stops.push(stop.name)
  } while (stops.at(-1) !== 'Login' && stops.length < 15)
  const search = ['Search products...', 'Search']
  const tools = ['नेपालीमा हेर्नुहोस्', 'Cart, empty', 'Login']
  const links = ['Home', 'Products', 'Categories', 'Offers']
  expect(stops).toEqual(
    isPhone(page)
      ? expect.arrayContaining(['Open menu', 'Thunse', ...search, ...tools])
      : ['Thunse', ...links, ...search, ...tools],
  )
})

test('K3: Enter in the search submits the typed word', async ({ page }) => {
  await open(page, '/')
  await page.getByPlaceholder('Search products...').focus()
  await page.keyboard.type('ri')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/products?search=ri')
  await expect(page.getByRole('heading', { level: 1, name: 'Products' })).toBeFocused()
})

test(
  'K4: the hamburger opens with Enter, keeps Tab inside, closes with Escape and gives the focus back',
  ON_PHONE,
  async ({ page }) => {
    await open(page, '/')
    const hamburger = page.getByRole('button', { name: 'Open menu' })
    await hamburger.focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Menu' })
    await expect(sheet).toBeVisible()
    const inside = () =>
      page.evaluate(() => document.querySelector('dialog[open]')?.contains(document.activeElement) ?? false)
    expect(await inside()).toBe(true)
    const visited = new Set<string>()
    for (let stop = 0; stop < 20; stop++) {
      await page.keyboard.press('Tab')
      // A browser lets Tab leave a modal dialog only towards its own toolbar, which shows as the body.
      const place = await page.evaluate(() => document.activeElement === document.body)
      expect(place || (await inside())).toBe(true)
      visited.add((await focused(page)).name)
    }
    for (const name of ['Home', 'Products', 'Categories', 'Offers', 'Search products...', 'Close'])
      expect(visited).toContain(name)
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(hamburger).toBeFocused()
    await expect(hamburger).toHaveAttribute('aria-expanded', 'false')
  },
)

test('K5: on a card the name and Add to Cart are the two stops; Add turns into a stepper with the focus on +', async ({
  page,
}) => {
  await open(page, '/products?search=rice')
  const card = page.locator('main article.card').first()
  await card.getByRole('link').focus()
  await page.keyboard.press('Tab')
  await expect(card.getByRole('button', { name: 'Add to Cart' })).toBeFocused()
  await page.keyboard.press('Enter')
  await toast(page, 'Added to cart')
  await expect(card.getByRole('button', { name: /^Increase/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(cartCount(page)).toHaveText('2')
  await expect(page.getByRole('status').filter({ hasText: 'Cart: 2 items' })).toHaveCount(1)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(card.getByRole('button', { name: 'Add to Cart' })).toBeFocused()
})

test('the product page can be bought from with the keyboard alone, and the focus is never covered', async ({
  page,
}) => {
  const shown = await product(({ stock }) => stock > 10)
  await open(page, productPath(shown))
  await page.locator('#main').focus()
  let added = false
  for (let stop = 0; stop < 14 && !added; stop++) {
    await tab(page)
    const covered = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      const { left, top, width, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return !(hit && (element.contains(hit) || hit.contains(element)))
    })
    const { name } = await focused(page)
    expect(covered, `'${name}' is covered by something`).toBe(false)
    if (name === 'Increase quantity') await page.keyboard.press('Space')
    if (name === 'Add to Cart') {
      await page.keyboard.press('Enter')
      added = true
    }
  }
  await toast(page, 'Added to cart')
  await expect(cartCount(page)).toHaveText('2')
})

test('Escape closes the newest message and nothing steals the focus', async ({ page }) => {
  await open(page, '/products?search=rice')
  const card = page.locator('main article.card').first()
  await card.getByRole('button', { name: 'Add to Cart' }).click()
  await toast(page, 'Added to cart')
  await expect(card.getByRole('button', { name: /^Increase/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('toast')).toHaveCount(0)
})

test('K6: the login dialog is walked inside, Escape closes it and gives the focus back', async ({ page }) => {
  await open(page, '/about')
  const login = loginButton(page)
  await login.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Password', { exact: true })).toBeVisible()
  const visited = new Set<string>()
  for (let stop = 0; stop < 14; stop++) {
    await page.keyboard.press('Tab')
    const inside = await page.evaluate(
      () =>
        document.activeElement === document.body ||
        document.querySelector('dialog[open]')?.contains(document.activeElement),
    )
    expect(inside, 'Tab stays inside').toBe(true)
    const { name, ring } = await focused(page)
    if (name) expect(ring || (await page.evaluate(() => document.activeElement === document.body))).toBe(true)
    visited.add(name)
  }
  for (const name of [
    'Close',
    'Login',
    'Sign Up',
    'Continue with Google',
    'Show password',
    'Forgot password?',
  ])
    expect([...visited]).toContain(name)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(login).toBeFocused()
})

test('the account menu opens with Enter, is walked with Tab, and Escape gives the focus back', async ({
  page,
  shopper,
}) => {
  await open(page, '/about')
  const button = avatar(page, shopper)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  const stops: string[] = []
  for (let stop = 0; stop < 3; stop++) stops.push((await tab(page)).name)
  expect(stops).toEqual(['Profile', 'My Orders', 'Logout'])
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
})

test(
  'K9: an empty address form names its gaps at the top, and the links there jump to the fields',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await open(page, '/add_address')
    expect(shopper.email).toContain('@')
    await page.getByRole('button', { name: 'Save Address' }).focus()
    await page.keyboard.press('Enter')
    const summary = page.getByRole('main').locator('.error-summary')
    await expect(summary).toBeFocused()
    await expect(summary).toContainText('There is a problem')
    const link = summary.getByRole('link', { name: 'Enter the street' })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main').getByLabel(/^Street/)).toBeFocused()
  },
)

test(
  'K10: editing the profile starts in the first field, Cancel gives the focus back to Edit',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await open(page, '/profile')
    const edit = page.getByRole('main').getByRole('button', { name: 'Edit', exact: true })
    await edit.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main').getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.type('xyz')
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('Enter')
    await expect(edit).toBeFocused()
    await expect(page.getByRole('main').getByText(shopper.name).first()).toBeVisible()
  },
)
