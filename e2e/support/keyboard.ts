import { expect, type Page } from '@playwright/test'

/** Where the keyboard is: what has the focus, what it is called, and whether one can see that it has it. */
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
    // A card or a choice has the ring in the place of what lies in it.
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

/** Tab until the wanted thing has the focus, which is never lost and always seen; a person would not go on for ever. */
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

/** The same, unless it has the focus already: a dialog begins in its first field. */
export async function reach(page: Page, wanted: RegExp) {
  const { name, ring } = await here(page)
  if (wanted.test(name) && ring) return
  await tabTo(page, wanted)
}

/** Something on the page has the focus: whoever presses Tab next does not start again at the top. */
export async function notLost(page: Page) {
  await expect.poll(async () => (await here(page)).lost, 'the focus is somewhere on the page').toBe(false)
}

export const type = (page: Page, text: string) => page.keyboard.type(text)

export async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}
