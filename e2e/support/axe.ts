import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
/** If fewer rules apply, the page was not checked. */
const FEWEST_RULES = 10
const TARGET_SIZE = 'target-size'
/** In pixels: more than half of any control's height under a bar. */
const A_THUMB = 60

/** The axe violations of the page in its current state. */
export async function axeProblems(page: Page): Promise<string[]> {
  // Skipping frames and the list of passed elements halves the time.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(TAGS)
    .setLegacyMode()
  // A toast covers what is below it for some seconds, and then a button under it counts as too small.
  if ((await page.locator('[data-testid=toast]').count()) > 0) axe.disableRules(TARGET_SIZE)
  const { violations, passes } = await axe.analyze()
  if (passes.length <= FEWEST_RULES) return [`axe has looked at next to nothing: ${passes.length} rules`]
  const found = violations.map(({ id, nodes }) => ({
    id,
    targets: nodes.map(({ target }) => target.join(' ')),
  }))
  for (const problem of found) {
    if (problem.id === TARGET_SIZE) problem.targets = await stillTooSmall(page, problem.targets)
  }
  return found
    .filter(({ targets }) => targets.length > 0)
    .map(({ id, targets }) => `axe: ${id}: ${targets.slice(0, 3).join(' | ')}`)
}

/**
 * A control half under a sticky bar (the header, the cart bar) is fully visible after scrolling a little, so it is too
 * small only if it is so at both positions. Where nothing can be scrolled, both results are the same.
 */
async function stillTooSmall(page: Page, targets: string[]): Promise<string[]> {
  // An open dialog scrolls instead of the page behind it.
  const scroller = await page.evaluateHandle(
    () => document.querySelector('dialog[open]') ?? document.scrollingElement ?? document.body,
  )
  const by = await scroller.evaluate((element, step) => {
    const before = element.scrollTop
    element.scrollTo({ top: before >= step ? before - step : before + step, behavior: 'instant' })
    return element.scrollTop - before
  }, A_THUMB)
  const { violations } = await new AxeBuilder({ page }).withRules(TARGET_SIZE).setLegacyMode().analyze()
  await scroller.evaluate((element, back) => element.scrollBy({ top: back, behavior: 'instant' }), -by)
  const again = new Set(violations.flatMap(({ nodes }) => nodes.map(({ target }) => target.join(' '))))
  return targets.filter((target) => again.has(target))
}
