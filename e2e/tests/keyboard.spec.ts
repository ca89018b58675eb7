import type { Page } from '@playwright/test'
import { product, productPath } from '../support/api.ts'
import { cartCount, expect, loginButton, ON_DESKTOP, open, test, toast } from '../support/shop.ts'

/** The focused element, and whether its focus ring is visible. */
async function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const clone = element.cloneNode(true) as HTMLElement
    for (const hidden of clone.querySelectorAll('.sr-only')) hidden.remove()
    return {
      name:
        element.getAttribute('aria-label') ??
        element.getAttribute('placeholder') ??
        (clone.textContent ?? '').trim(),
      ring: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      /** A browser lets Tab leave a modal dialog only towards its own toolbar, which shows as the body. */
      outside: element === document.body,
      inDialog: document.querySelector('dialog[open]')?.contains(element) ?? false,
    }
  })
}

async function tab(page: Page) {
  await page.keyboard.press('Tab')
  const now = await focused(page)
  expect(now.ring, `a visible ring on '${now.name}'`).toBe(true)
  return now
}

/** Presses Tab `stops` times; returns the names of the stops, all of which are inside the dialog. */
async function walkDialog(page: Page, stops: number): Promise<Set<string>> {
  const visited = new Set<string>()
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab')
    const { name, ring, outside, inDialog } = await focused(page)
    if (outside) continue
    expect(inDialog, `Tab stays inside, not on '${name}'`).toBe(true)
    expect(ring, `a visible ring on '${name}'`).toBe(true)
    visited.add(name)
  }
  return visited
}

test(
  'the header is walked in reading order with a visible ring, Skip to content jumps, and Enter in the search leads to the results',
  ON_DESKTOP,
  async ({ page }) => {
    await open(page, '/')
    expect(await tab(page)).toMatchObject({ name: 'Skip to content' })
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.locator('#main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Shop Now' })).toBeFocused()

    await open(page, '/')
    await tab(page)
    const stops: string[] = []
    while (stops.at(-1) !== 'Login' && stops.length < 15) stops.push((await tab(page)).name)
    expect(stops).toEqual([
      ...['Thunse', 'Home', 'Products', 'Categories', 'Offers', 'Search products...', 'Search'],
      ...['नेपालीमा हेर्नुहोस्', 'Cart, empty', 'Login'],
    ])

    await page.getByPlaceholder('Search products...').focus()
    await page.keyboard.type('ri')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/products?search=ri')
    await expect(page.getByRole('heading', { level: 1, name: 'Results for "ri"' })).toBeFocused()
  },
)

test('the hamburger opens with Enter, keeps Tab inside, closes with Escape and gives the focus back', async ({
  page,
}) => {
  await open(page, '/')
  const hamburger = page.getByRole('button', { name: 'Open menu' })
  await hamburger.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Menu' })
  await expect(sheet).toBeVisible()
  expect([...(await walkDialog(page, 20))]).toEqual(
    expect.arrayContaining(['Home', 'Products', 'Categories', 'Offers', 'Search products...', 'Close']),
  )
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(hamburger).toBeFocused()
  await expect(hamburger).toHaveAttribute('aria-expanded', 'false')
})

test('the login dialog opens with Enter, keeps Tab inside, closes with Escape and gives the focus back', async ({
  page,
}) => {
  await open(page, '/about')
  const login = loginButton(page)
  await login.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Password', { exact: true })).toBeVisible()
  const names = ['Close', 'Login', 'Sign Up', 'Continue with Google', 'Show password', 'Forgot password?']
  expect([...(await walkDialog(page, 14))]).toEqual(expect.arrayContaining(names))
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(login).toBeFocused()
})

test('a product page can be bought from with the keyboard alone, and the focus is never covered', async ({
  page,
}) => {
  await open(page, productPath(await product(({ stock }) => stock > 10)))
  await page.locator('#main').focus()
  let added = false
  for (let stop = 0; stop < 14 && !added; stop++) {
    const { name } = await tab(page)
    const covered = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      const { left, top, width, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return !(hit && (element.contains(hit) || hit.contains(element)))
    })
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
