import { test as base, expect, type Locator, type Page, type Request } from '@playwright/test'
import { shopUrl } from './api.ts'

export { expect }

type Fixtures = {
  /** Call with what this test provokes on purpose; anything else on the console fails it. */
  allowConsole: (...texts: RegExp[]) => void
}

export const test = base.extend<Fixtures>({
  allowConsole: [
    async ({ page }, use) => {
      const problems: string[] = []
      const allowed: RegExp[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          // biome-ignore lint/suspicious/noConsole: this runs in the page, whose console the test reads
          console.error(`Content Security Policy: ${event.violatedDirective} blocked ${event.blockedURI}`)
        })
      })
      await use((...texts) => void allowed.push(...texts))
      const unexpected = problems.filter((problem) => !allowed.some((text) => text.test(problem)))
      expect(unexpected, 'nothing unexpected on the console').toEqual([])
    },
    { auto: true },
  ],
})

export const NOT_FOUND = /status of 404/
export const BROKEN = /status of 500|net::ERR_FAILED|Failed to fetch/
export const OFFLINE = /net::ERR_INTERNET_DISCONNECTED|Failed to fetch/

/** Opens a page and waits until React has taken over from the server's first view. */
export async function open(page: Page, path: string) {
  await page.goto(path)
  await takenOver(page)
}

export async function takenOver(page: Page) {
  await page.locator('.toaster').waitFor({ state: 'attached' })
}

export const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768

/** Follows a link of the main navigation, through the hamburger where there is one. */
export async function goTo(page: Page, name: string) {
  if (isPhone(page)) {
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name, exact: true }).click()
  } else {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  }
}

/** The exact text, at the top centre of the screen. */
export async function toast(page: Page, text: string) {
  const found = page.getByTestId('toast').filter({ has: page.getByText(text, { exact: true }) })
  await expect(found).toHaveCount(1)
  await expect(found).toBeVisible()
  const size = page.viewportSize()
  const box = await found.boundingBox()
  if (!size || !box) throw new Error('the toast has no box')
  expect(Math.abs(box.x + box.width / 2 - size.width / 2), 'the toast is centred').toBeLessThan(40)
  expect(box.y, 'the toast is in the top third').toBeLessThan(size.height / 3)
}

/** Text content, because the browser leaves the inner text of cards it has not drawn yet empty. */
export async function cardNames(within: Page | Locator): Promise<string[]> {
  return (await within.locator('article.card h3').allTextContents()).map((name) => name.trim())
}

export function section(page: Page, heading: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
}

export const cartCount = (page: Page) => page.getByTestId('cart-count')

/** Keeps every request to the address part, so that 'nothing was sent' can be told from 'nobody listened'. */
export function listen(page: Page, part: string): Request[] {
  const seen: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) seen.push(request)
  })
  return seen
}

export async function inNepali(page: Page) {
  await page.context().addCookies([{ name: 'lang', value: 'ne', url: shopUrl() }])
}

/** Two frames and an idle moment: whatever was going to be drawn or done after drawing has been. */
export async function drawn(page: Page) {
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done())))
      }),
  )
}
