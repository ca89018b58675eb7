import type { Page } from '@playwright/test'

/** Records the texts that an element has, one after the other, because each of them disappears after some seconds. */
export async function recordTexts(page: Page, selector: string): Promise<string[]> {
  const texts: string[] = []
  await page.exposeFunction('recordText', (text: string) => void texts.push(text))
  await page.addInitScript((selector) => {
    let last = ''
    new MutationObserver(() => {
      const text = document.querySelector(selector)?.textContent ?? ''
      if (text && text !== last) (window as unknown as { recordText(text: string): void }).recordText(text)
      last = text
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, selector)
  return texts
}
