import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
/** A page on which fewer rules apply than this has not been looked at. */
const FEWEST_RULES = 10

/** What axe finds on the page as it is now. */
export async function axeProblems(page: Page): Promise<string[]> {
  // All in the page itself, which has no frames of others, and no list of every element that passed: half of the time.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(TAGS)
    .setLegacyMode()
  // A message lies over what is below it for some seconds, and then a button under it counts as too small.
  if ((await page.locator('[data-testid=toast]').count()) > 0) axe.disableRules('target-size')
  const { violations, passes } = await axe.analyze()
  if (passes.length <= FEWEST_RULES) return [`axe has looked at next to nothing: ${passes.length} rules`]
  return violations.map(
    ({ id, nodes }) =>
      `axe: ${id}: ${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 3)
        .join(' | ')}`,
  )
}
