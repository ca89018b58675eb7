import { expect, type Page } from '@playwright/test'

/** The focused element: its name, and whether its focus ring is visible. */
async function here(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return { name: '', ring: false, lost: true }
    const { labels } = element as HTMLInputElement
    const name =
      element.getAttribute('aria-label') ??
      labels?.[0]?.textContent ??
      element.getAttribute('placeholder') ??
      element.textContent ??
      ''
    // A card or a radio button shows the focus ring of the element inside it.
    let ring = false
    for (
      let around: Element | null = element, up = 0;
      around && up < 4;
      around = around.parentElement, up++
    ) {
      const { outlineStyle, outlineWidth } = getComputedStyle(around)
      ring ||= outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    }
    return { name: name.replace(/\s+/g, ' ').trim(), ring, lost: false }
  })
}

/** Presses Tab until the wanted element has the focus, which must stay visible; gives up after a number of stops. */
export async function tabTo(page: Page, wanted: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab', most = 60) {
  for (let stop = 0; stop < most; stop++) {
    await page.keyboard.press(key)
    const { name, ring, lost } = await here(page)
    expect(lost, `${key} on the way to ${wanted} has lost the focus`).toBe(false)
    expect(ring, `'${name}' shows that it has the focus`).toBe(true)
    if (wanted.test(name)) return
  }
  throw new Error(`${most} times ${key} does not lead to ${wanted}`)
}

/** The same, unless the element has the focus already: a dialog starts in its first field. */
export async function reach(page: Page, wanted: RegExp) {
  const { name, ring } = await here(page)
  if (wanted.test(name) && ring) return
  await tabTo(page, wanted)
}

/** Checks that an element of the page has the focus, so that the next Tab does not start at the top. */
export async function notLost(page: Page) {
  await expect.poll(async () => (await here(page)).lost, 'the focus is somewhere on the page').toBe(false)
}

export const type = (page: Page, text: string) => page.keyboard.type(text)

export async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}
