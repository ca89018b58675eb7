import type { Page } from '@playwright/test'
import { noViolations } from '../support/axe.ts'
import { BUYING_SCREENS, type BuyingScreen, enterAsBuyer, isBuyer } from '../support/buying-screens.ts'
import { PAYING_SCREENS } from '../support/paying-screens.ts'
import { enterAs, PEOPLE_SCREENS } from '../support/people-screens.ts'
import { expect, inNepali, ON_DESKTOP, ON_PHONE, open, REFUSED, test } from '../support/shop.ts'

/** A wallet that is not there is one of the screens. */
const UNAVAILABLE = /status of 503/
const SCREENS: BuyingScreen[] = [...PEOPLE_SCREENS, ...BUYING_SCREENS, ...PAYING_SCREENS].filter(
  ({ within }) => !within,
)

async function come(page: Page, { path, who, prepare }: BuyingScreen) {
  await (isBuyer(who) ? enterAsBuyer(page, who) : enterAs(page, who))
  await open(page, path)
  await prepare?.(page)
}

/** What does not fit into 360 or 320 px, and what a finger would miss. */
async function smallProblems(page: Page): Promise<string[]> {
  const wrong: string[] = []
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 })
    wrong.push(
      ...(await page.evaluate((wide) => {
        const found: string[] = []
        for (const [what, element] of [
          ['page', document.documentElement],
          ['dialog', document.querySelector('dialog[open]')],
        ] as const) {
          const over = element ? element.scrollWidth - element.clientWidth : 0
          if (over > 0) found.push(`at ${wide}: the ${what} is ${over} px too wide`)
        }
        if (window.innerWidth > wide) found.push(`at ${wide}: laid out ${window.innerWidth} px wide`)
        for (const element of document.querySelectorAll<HTMLElement>(
          'a, button, input, select, textarea, summary',
        )) {
          // Whoever presses the words of a choice presses the choice.
          const choice = element.matches('[type=radio], [type=checkbox]') ? element.closest('label') : null
          const { width, height } = (choice ?? element).getBoundingClientRect()
          // The field for a photo lies inside the button that is pressed.
          if (width === 0 || height === 0 || element.closest('.skip-link, .sr-only, footer, .photo-pick'))
            continue
          const main = element.matches('button:not(.link), .button, input, select, textarea, summary')
          const floor = main && !element.matches('.password-eye, .search-submit, .search-clear') ? 44 : 24
          if (height < floor - 0.5)
            found.push(
              `${element.className || element.tagName} '${(element.textContent ?? '').trim().slice(0, 20)}' is ${Math.round(height)} px high`,
            )
        }
        return found
      }, width)),
    )
  }
  return [...new Set(wrong)]
}

for (const screen of SCREENS) {
  test(
    `axe finds nothing and nothing is too wide or too small: ${screen.name}, ne`,
    ON_PHONE,
    async ({ page, allowConsole }) => {
      allowConsole(REFUSED, UNAVAILABLE)
      await inNepali(page)
      await come(page, screen)
      await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
      await noViolations(page)
      expect(await smallProblems(page)).toEqual([])
    },
  )

  test(`axe finds nothing: ${screen.name}, en`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(REFUSED, UNAVAILABLE)
    await come(page, screen)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await noViolations(page)
  })
}

test(
  'A2, A3 in English: nothing is wider than 360 or 320 px, and nothing to press too small',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    test.slow()
    allowConsole(REFUSED, UNAVAILABLE)
    const wrong: string[] = []
    for (const screen of SCREENS) {
      await page.setViewportSize({ width: 360, height: 740 })
      await page.context().clearCookies({ name: /^(__Host-|session|seller_session)/ })
      // Two addresses that differ only behind the # would be one page.
      await page.goto('about:blank')
      await come(page, screen)
      wrong.push(...(await smallProblems(page)).map((problem) => `${screen.name}: ${problem}`))
    }
    expect(wrong).toEqual([])
  },
)
