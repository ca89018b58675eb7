import type { Page } from '@playwright/test'

/** Narrower than the phones that we design for, but some phones and magnified pages are. */
const NARROWEST = 320

/**
 * Order numbers are random, and some are wider than others: during `looking`, all of them are replaced by a wide one,
 * so that an overflow is found in every run.
 */
export async function withWideNumbers(page: Page, looking: () => Promise<string[]>): Promise<string[]> {
  const drawn = await page.evaluateHandle(() => {
    const drawn: [Node, string][] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.nodeValue ?? ''
      const wide = text.replace(/\b[2-9A-HJKMNP-TV-Z]{10}\b/g, 'MWBWYMWBNM')
      if (wide === text) continue
      drawn.push([node, text])
      node.nodeValue = wide
    }
    return drawn
  })
  const found = await looking()
  await drawn.evaluate((drawn) => {
    for (const [node, text] of drawn) node.nodeValue = text
  })
  return found
}

/** Elements that are wider than the window. */
export async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const [what, element] of [
      ['page', document.documentElement],
      ['dialog', document.querySelector('dialog[open]')],
    ] as const) {
      const over = element ? element.scrollWidth - element.clientWidth : 0
      if (over > 0) found.push(`at ${innerWidth} px the ${what} is ${over} px too wide`)
    }
    return found
  })
}

/** The same at the narrowest width; the window is restored afterwards. */
export async function tooWideAtNarrowest(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: NARROWEST, height: size?.height ?? 740 })
  const found = await tooWide(page)
  const laidOut = await page.evaluate(() => innerWidth)
  if (laidOut > NARROWEST) found.push(`at ${NARROWEST} px the page is laid out ${laidOut} px wide`)
  if (size) await page.setViewportSize(size)
  return found
}

/** Touch targets that are too small: nothing is smaller than 24 px, and the main controls are 44 px high. */
export async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    for (const element of document.querySelectorAll<HTMLElement>(
      'a, button, input, select, textarea, summary',
    )) {
      // A press on the label of a radio button or checkbox counts as well.
      const choice = element.matches('[type=radio], [type=checkbox]') ? element.closest('label') : null
      const { width, height } = (choice ?? element).getBoundingClientRect()
      // The input for a photo is inside the button that is pressed.
      if (width === 0 || height === 0 || element.closest('.skip-link, .sr-only, .photo-pick')) continue
      // The link of a card's name covers the picture, and links inside running text are exempt (2.5.8).
      const stretched = getComputedStyle(element, '::after').position === 'absolute'
      const inText = element.matches('a, button.link') && element.closest('p') !== null
      if (stretched || inText) continue
      const main = element.matches(
        'button:not(.link), .button, .icon-button, .chip, .tile, input, select, textarea, summary',
      )
      const floor = main && !element.matches('.password-eye, .search-submit, .search-clear') ? 44 : 24
      if (height < floor - 0.5 || width < Math.min(floor, 40) - 0.5)
        found.add(
          `${element.className || element.tagName} '${(element.textContent ?? '').trim().slice(0, 20)}' is ${Math.round(width)} x ${Math.round(height)} px`,
        )
    }
    return [...found]
  })
}

/** Checks for one h1, no skipped heading level, and unique ids. */
export async function outlineProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
    if (twice.length > 0) found.push(`ids that are there twice: ${twice.join(', ')}`)
    const open = document.querySelector('dialog[open]')
    const headings = [...(open ?? document).querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((each) =>
      each.checkVisibility(),
    )
    const levels = headings.map(({ tagName }) => Number(tagName[1]))
    const first = levels.filter((level) => level === 1).length
    if (!open && first !== 1) found.push(`${first} headings of the first level`)
    if (levels.some((level, index) => index > 0 && level - (levels[index - 1] ?? 0) > 1))
      found.push(`a heading level is left out: ${levels.join(' ')}`)
    return found
  })
}

/** Nepali text on an English page without `lang`, which a screen reader would spell out or skip. */
export async function unmarkedNepali(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element || element.closest('script, [aria-hidden=true], [lang=ne]')) continue
      const text = (node.textContent ?? '').trim()
      if (/\p{Script=Devanagari}/u.test(text)) found.add(`Nepali without a mark: '${text.slice(0, 40)}'`)
    }
    return [...found]
  })
}

/** Animations that last longer than a blink although reduced motion is requested. */
export async function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 10)
      .map(
        (each) => `moves although motion is not wanted: ${(each as CSSAnimation).animationName ?? each.id}`,
      ),
  )
}
