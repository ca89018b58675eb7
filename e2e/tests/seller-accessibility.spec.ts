import { noViolations } from '../support/axe.ts'
import { DESK_SCREENS } from '../support/desk-screens.ts'
import { come, smallProblems } from '../support/looks.ts'
import { expect, inNepali, ON_DESKTOP, ON_PHONE, REFUSED, test } from '../support/shop.ts'

// Nepali, whose words are longer, where there is little room; English where there is much. Paper is read by nobody's machine.
for (const screen of DESK_SCREENS.filter(({ paper }) => !paper)) {
  test(
    `axe finds nothing and nothing is too wide or too small: ${screen.name}, ne`,
    ON_PHONE,
    async ({ page, allowConsole }) => {
      allowConsole(REFUSED)
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
      allowConsole(REFUSED)
      await come(page, screen)
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await noViolations(page)
      expect(await smallProblems(page)).toEqual([])
    },
  )
}
