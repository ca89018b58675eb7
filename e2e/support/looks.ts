import type { Page } from '@playwright/test'
import { type BuyingScreen, enterAsBuyer, isBuyer } from './buying-screens.ts'
import { enterAs } from './people-screens.ts'
import { open } from './shop.ts'

/** To a screen, as whoever sees it, in the state it is about. */
export async function come(page: Page, { path, who, prepare }: BuyingScreen) {
  await (isBuyer(who) ? enterAsBuyer(page, who) : enterAs(page, who))
  await open(page, path)
  await prepare?.(page)
}

/** What does not fit into 360 or 320 px, and what a finger would miss. */
export async function smallProblems(page: Page): Promise<string[]> {
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
