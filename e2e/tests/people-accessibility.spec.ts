import { noViolations } from '../support/axe.ts'
import { BUYING_SCREENS, type BuyingScreen } from '../support/buying-screens.ts'
import { come, smallProblems } from '../support/looks.ts'
import { PAYING_SCREENS } from '../support/paying-screens.ts'
import { PEOPLE_SCREENS } from '../support/people-screens.ts'
import { expect, inNepali, ON_DESKTOP, ON_PHONE, REFUSED, test } from '../support/shop.ts'

/** A wallet that is not there is one of the screens. */
const UNAVAILABLE = /status of 503/
const SCREENS: BuyingScreen[] = [...PEOPLE_SCREENS, ...BUYING_SCREENS, ...PAYING_SCREENS].filter(
  ({ within }) => !within,
)

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

  test(
    `axe finds nothing: ${screen.name}, en; nor is anything too wide or too small when the window is`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(REFUSED, UNAVAILABLE)
      await come(page, screen)
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await noViolations(page)
      expect(await smallProblems(page)).toEqual([])
    },
  )
}
