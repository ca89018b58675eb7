import { noViolations } from '../support/axe.ts'
import { everyRoute, ROUTE_NAMES, route } from '../support/routes.ts'
import {
  expect,
  goTo,
  inNepali,
  NOT_FOUND,
  OFFLINE,
  ON_DESKTOP,
  ON_PHONE,
  open,
  test,
  toast,
} from '../support/shop.ts'

// Nepali, whose words are longer, where there is little room; English where there is much.
const LOOKS = [
  ['ne', ON_PHONE],
  ['en', ON_DESKTOP],
] as const

for (const [lang, where] of LOOKS) {
  for (const name of ROUTE_NAMES) {
    test(`axe finds nothing: ${name}, ${lang}`, where, async ({ page, allowConsole }) => {
      allowConsole(NOT_FOUND)
      if (lang === 'ne') await inNepali(page)
      await open(page, (await route(name)).path)
      await expect(page.locator('html')).toHaveAttribute('lang', lang)
      await noViolations(page)
    })
  }

  test(
    `axe finds nothing with a filled cart and a message on the screen, ${lang}`,
    where,
    async ({ page }) => {
      if (lang === 'ne') await inNepali(page)
      await open(page, '/products?search=rice')
      await page.locator('main article.card button.add').first().click()
      await expect(page.getByTestId('toast')).toBeVisible()
      await noViolations(page)
      await page.getByRole('banner').locator('a[href="/cart"]').click()
      await expect(page.getByTestId('cart-line')).toBeVisible()
      await noViolations(page)
    },
  )
}

test('axe finds nothing in the open hamburger', ON_PHONE, async ({ page }) => {
  await open(page, '/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await noViolations(page)
})

test('axe finds nothing with the offline bar', ON_PHONE, async ({ page, context, allowConsole }) => {
  allowConsole(OFFLINE)
  await open(page, '/products')
  await context.setOffline(true)
  await expect(page.locator('.offline-bar')).toBeVisible()
  await noViolations(page)
})

test('axe finds nothing in a failed region with its message', ON_DESKTOP, async ({ page }) => {
  await open(page, '/about')
  await page.route('**/api/product/get_products?*', (each) =>
    each.fulfill({ json: { success: false, message: 'no' } }),
  )
  await goTo(page, 'Products')
  await toast(page, 'Failed to fetch products.')
  await noViolations(page)
})

test(
  'A2: nothing to press is smaller than 24 px, and the main controls are 44 px high',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    test.slow()
    allowConsole(NOT_FOUND)
    const small: string[] = []
    for (const { name, path } of await everyRoute()) {
      await open(page, path)
      small.push(
        ...(await page.evaluate((where) => {
          const found: string[] = []
          for (const element of document.querySelectorAll<HTMLElement>('a, button, input, select')) {
            const { width, height } = element.getBoundingClientRect()
            if (width === 0 || height === 0 || element.closest('.skip-link, .sr-only')) continue
            // A card's name is stretched over the picture, and links inside running text are exempt (2.5.8).
            const stretched = getComputedStyle(element, '::after').position === 'absolute'
            const main = element.matches(
              'button, .button, input, select, .icon-button, .chip, .tile, .search-submit',
            )
            const floor = main && !element.matches('.search-submit, .search-clear') ? 44 : 24
            if (!stretched && (height < floor || width < Math.min(floor, 40))) {
              found.push(
                `${where}: ${element.className || element.tagName} '${(element.textContent ?? '').trim().slice(0, 20)}' ${Math.round(width)}x${Math.round(height)}`,
              )
            }
          }
          return found
        }, name)),
      )
    }
    expect([...new Set(small)]).toEqual([])
  },
)

test(
  'A3: no page scrolls sideways at 360 or 320 px, in either language',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    test.slow()
    allowConsole(NOT_FOUND)
    const wide: string[] = []
    for (const lang of ['en', 'ne']) {
      if (lang === 'ne') await inNepali(page)
      for (const { name, path } of await everyRoute()) {
        await page.setViewportSize({ width: 360, height: 740 })
        await open(page, path)
        for (const width of [360, 320]) {
          await page.setViewportSize({ width, height: 740 })
          const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          if (over > 0) wide.push(`${name} ${lang} at ${width}: ${over} px too wide`)
          const layout = await page.evaluate(() => window.innerWidth)
          if (layout > width) wide.push(`${name} ${lang} at ${width}: laid out ${layout} px wide`)
        }
      }
    }
    expect(wide).toEqual([])
  },
)

test(
  'A5: one h1, no skipped heading level, no id twice, every landmark told apart',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    test.slow()
    allowConsole(NOT_FOUND)
    for (const { name, path } of await everyRoute()) {
      await open(page, path)
      const { levels, twice } = await page.evaluate(() => {
        const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
        return {
          levels: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) =>
            Number(tagName[1]),
          ),
          twice: ids.filter((id, index) => ids.indexOf(id) !== index),
        }
      })
      expect(
        levels.filter((level) => level === 1),
        name,
      ).toHaveLength(1)
      expect(
        levels.every((level, index) => index === 0 || level - (levels[index - 1] ?? 0) <= 1),
        `${name}: ${levels}`,
      ).toBe(true)
      expect(twice, name).toEqual([])
    }
  },
)

test('A6: after a route change title and h1 are new, the h1 has the focus and the page is at the top', async ({
  page,
}) => {
  await open(page, '/')
  for (const [link, heading, title] of [
    ['Products', 'Products', 'Products – Thunse'],
    ['Offers', "Today's Best Offers & Deals", 'Offers – Thunse'],
    ['Categories', 'Shop by Category', 'Shop by Category – Thunse'],
  ] as const) {
    await page.evaluate(() => window.scrollTo(0, 500))
    await goTo(page, link)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
    await expect(page).toHaveTitle(title)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await expect(page.locator('[role=status].sr-only').filter({ hasText: title })).toHaveCount(1)
  }
})

test('A8: text in the other script says which language it is', ON_DESKTOP, async ({ page }) => {
  await open(page, '/products')
  const wrong = (lang: string) =>
    page.evaluate((own) => {
      const found: string[] = []
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        if (!element || element.closest('script, [aria-hidden=true]')) continue
        const nepali = /\p{Script=Devanagari}/u.test(node.textContent ?? '')
        const marked = element.closest('[lang]')?.getAttribute('lang') ?? own
        if (nepali && marked !== 'ne') found.push((node.textContent ?? '').trim())
      }
      return found
    }, lang)
  expect(await wrong('en')).toEqual([])
  await expect(page.locator('button.language-switch')).toHaveAttribute('lang', 'ne')
})

test('A9: both live regions stand in the page before the first message', ON_PHONE, async ({ page }) => {
  await open(page, '/')
  await expect(page.locator('.toaster [role=status]')).toHaveCount(1)
  await expect(page.locator('.toaster [role=alert]')).toHaveCount(1)
})

test('A10: with reduced motion nothing moves for longer than a blink', ON_PHONE, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, '/products')
  await page.locator('main article.card button.add').first().click()
  const long = await page.evaluate(
    () =>
      document.getAnimations().filter((each) => Number(each.effect?.getComputedTiming().duration ?? 0) > 10)
        .length,
  )
  expect(long).toBe(0)
})
