import type { Page } from '@playwright/test'

/** Names that are written in Latin letters in Nepali text: brands, file types and units. */
const MARKS = [
  'Khalti',
  'MPIN',
  'Google',
  'COD',
  'PNG',
  'JPG',
  'JPEG',
  'GIF',
  'WebP',
  'CSV',
  'ZIP',
  'UTF',
  'MB',
  'Enter',
  'EN',
]

/**
 * The words in Latin letters that a page contains in Nepali. User content (names, addresses, codes) is allowed where
 * the markup says so: with its own `lang` or `translate="no"`. The same text is then allowed inside a message, a label
 * or the title, which cannot carry such an attribute; a message about something that is nowhere else on the page names
 * it in `data-verbatim`.
 */
export async function englishLeft(page: Page): Promise<string[]> {
  return page.evaluate((marks) => {
    const MARKED = '[lang]:not([lang=ne]), [translate=no]'
    const TOLD = [
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'aria-roledescription',
      'title',
      'placeholder',
      'alt',
    ]
    const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
    const marked = (element: Element) => element.closest(MARKED)
    const shown = (element: Element) =>
      (element.closest('select') ?? element).checkVisibility({ visibilityProperty: true })

    const data = new Set<string>()
    for (const element of document.body.querySelectorAll(MARKED)) {
      // An order's code is displayed with a # and announced without it.
      data.add(plain(element.textContent ?? '').replace(/^#/, ''))
      for (const name of TOLD) data.add(plain(element.getAttribute(name) ?? ''))
    }
    for (const element of document.querySelectorAll<HTMLElement>('[data-verbatim]'))
      data.add(plain(element.dataset.verbatim ?? ''))
    // Typed text is repeated in messages: 'nothing matches xyzzy'.
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea'))
      data.add(plain(field.value))
    const known = [...data]
      .filter((text) => /\p{Script=Latin}{2}/u.test(text))
      .sort((a, b) => b.length - a.length)

    const found = new Set<string>()
    const look = (where: string, text: string) => {
      // Addresses of emails and pages are the same in every language.
      let rest = plain(text).replace(/[\w.+-]+@[\w.-]+|https?:\/\/[\w.…/-]*/g, ' ')
      for (const each of known) rest = rest.split(each).join(' ')
      const words = (rest.match(/\p{Script=Latin}{2,}/gu) ?? []).filter((word) => !marks.includes(word))
      if (words.length > 0) found.add(`${where}: ${words.join(' ')} (in '${plain(text).slice(0, 90)}')`)
    }
    const name = (element: Element) =>
      element.tagName.toLowerCase() +
      (element.id ? `#${element.id}` : '') +
      [...element.classList].map((each) => `.${each}`).join('')

    look('the title of the page', document.title)
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement
      if (!element || element.closest('script, style, noscript, template, textarea')) continue
      if (!marked(element) && shown(element)) look(name(element), node.textContent ?? '')
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (marked(element) || !shown(element)) continue
      for (const attribute of TOLD)
        look(`${name(element)}[${attribute}]`, element.getAttribute(attribute) ?? '')
      for (const side of ['::before', '::after'])
        look(
          `${name(element)}${side}`,
          getComputedStyle(element, side).content.replace(/^(none|normal)$/, ''),
        )
    }
    return [...found]
  }, MARKS)
}

/** Texts that overflow their box or are cut off unintentionally. */
export async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const SLACK = 1.5
    const told = (element: Element, text: string) =>
      `${element.tagName.toLowerCase()}${[...element.classList].map((each) => `.${each}`).join('')} '${text.trim().slice(0, 40)}'`
    const style = (element: Element) => getComputedStyle(element)
    /** An ellipsis or a line clamp is intentional. */
    const shortened = (element: Element) =>
      style(element).textOverflow === 'ellipsis' || style(element).webkitLineClamp !== 'none'
    const onlyHeard = (element: Element) =>
      element.closest('.sr-only') !== null || style(element).clipPath !== 'none'

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? ''
      const element = node.parentElement
      if (!element || text.trim() === '' || element.closest('script, style, noscript, template, select'))
        continue
      if (
        !element.checkVisibility({
          visibilityProperty: true,
          opacityProperty: true,
          contentVisibilityAuto: true,
        }) ||
        onlyHeard(element)
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width === 0) continue
      for (
        let outer: Element | null = element;
        outer && outer !== document.body;
        outer = outer.parentElement
      ) {
        if (shortened(outer) || onlyHeard(outer)) break
        const { overflowX, overflowY, display } = style(outer)
        // What is outside this element can be scrolled to.
        if (/auto|scroll/.test(overflowX + overflowY)) break
        if (display === 'inline' || display === 'contents') continue
        const edge = outer.getBoundingClientRect()
        const wide = Math.max(box.right - edge.right, edge.left - box.left)
        const high = Math.max(box.bottom - edge.bottom, edge.top - box.top)
        if (wide > SLACK && (outer === element || /hidden|clip/.test(overflowX)))
          found.add(`${told(element, text)} runs ${Math.round(wide)} px out of ${told(outer, '')}`)
        // A line box is often slightly higher than its tight parent; only clipped text is lost.
        if (high > SLACK && /hidden|clip/.test(overflowY))
          found.add(`${told(element, text)} is cut off by ${Math.round(high)} px in ${told(outer, '')}`)
      }
    }
    return [...found]
  })
}
