import { test as base, expect, type Locator, type Page, type Request, type Route } from '@playwright/test'
import { shopUrl } from './api.ts'
import { instanceUrls } from './orders.ts'
import { type Person, register, somebody, type Visitor } from './people.ts'

export { expect }

type Fixtures = {
  /** Allows console errors that this test provokes; any other error fails the test. */
  allowConsole: (...texts: RegExp[]) => void
  /** A shopper who is signed in in this browser; `session` is the same session for calls outside of it. */
  shopper: Person & { session: Visitor }
  /** The texts of all toasts of this page that no test has checked yet. */
  toasts: string[]
}

const raisedToasts = new WeakMap<Page, string[]>()

export const test = base.extend<Fixtures>({
  allowConsole: [
    async ({ page }, use) => {
      const problems: string[] = []
      // A 401 for a visitor is expected, but browsers log every one.
      const allowed = [/status of 401 .*\/api\/(user\/isAuth|seller\/checkSeller)\)$/]
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
  toasts: [
    async ({ page }, use) => {
      const texts: string[] = []
      raisedToasts.set(page, texts)
      await page.exposeFunction('noteToast', (text: string) => void texts.push(text))
      await page.addInitScript(() => {
        const note = (node: Node) => {
          if (!(node instanceof Element)) return
          for (const card of [node, ...node.querySelectorAll('[data-testid=toast]')]) {
            if (card.matches('[data-testid=toast]'))
              (window as unknown as { noteToast(text: string): void }).noteToast(
                card.querySelector('span')?.textContent ?? '',
              )
          }
        }
        new MutationObserver((changes) => {
          for (const change of changes) change.addedNodes.forEach(note)
        }).observe(document, { childList: true, subtree: true })
      })
      await use(texts)
    },
    { auto: true },
  ],
  shopper: async ({ context }, use) => {
    const person = somebody()
    const session = await register(person)
    await session.enter(context)
    await use({ ...person, session })
  },
})

/** A test runs at the width of a phone, unless it is tagged for a desktop or for both. */
export const ON_DESKTOP = { tag: '@desktop' }
export const ON_BOTH = { tag: '@both' }
/**
 * For a journey that changes a setting of the whole shop, or counts what all others do too: it runs after them, and
 * undoes the change.
 */
export const ON_ITS_OWN = { tag: '@own' }

export const NOT_FOUND = /status of 404/
export const BROKEN = /status of 50[03]|net::ERR_FAILED|Failed to fetch/
/** Browsers log every refused request. */
export const REFUSED = /status of 4\d\d/
export const OFFLINE = /net::ERR_INTERNET_DISCONNECTED|Failed to fetch/

/** Opens a page and waits until React has replaced the first view. */
export async function open(page: Page, path: string) {
  await page.goto(path)
  await takenOver(page)
}

/**
 * Waits until each instance of the shop serves this page with the text, or without it: each has its own cache and hears
 * of a change a moment later.
 */
export async function servedByAll(path: string, text: string, isThere = true) {
  for (const instance of instanceUrls())
    await expect
      .poll(async () => (await (await fetch(instance + path)).text()).includes(text), {
        message: `${instance}${path} is served ${isThere ? 'with' : 'without'} '${text}'`,
      })
      .toBe(isThere)
}

/** Before React has replaced the first view, its buttons are about to be detached, and early taps are repeated later. */
export async function reload(page: Page) {
  await page.reload()
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

/**
 * Checks that a toast with exactly this text is or was on the screen since the last check: it closes after some
 * seconds, which a busy machine may miss. The position of toasts is checked once, in toasts.spec.ts.
 */
export async function toast(page: Page, text: string) {
  const shown = page.getByTestId('toast').filter({ has: page.getByText(text, { exact: true }) })
  const raised = raisedToasts.get(page) ?? []
  await expect
    .poll(async () => raised.includes(text) || (await shown.count()) === 1, {
      message: `a toast says '${text}'`,
    })
    .toBe(true)
  raised.splice(0, raised.length, ...raised.filter((each) => each !== text))
}

/** Whether the two elements overlap. */
export async function overlaps(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!a || !b) throw new Error('one of them is not on the screen')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** The avatar that a signed-in shopper has instead of the login button. */
export function avatar(page: Page, { name }: { name: string }): Locator {
  return page.getByRole('banner').getByRole('button', { name: `${name}'s account` })
}

export function loginButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: 'Login' })
}

/** Opens one of the profile's expandable cards. */
export async function openFold(page: Page, title: string): Promise<Locator> {
  const fold = page
    .locator('details.disclosure')
    .filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })
  await fold.locator('summary').click()
  return fold
}

/** Opens the login dialog and switches it to Sign Up if requested. */
export async function loginDialog(page: Page, mode: 'Login' | 'Sign Up' = 'Login'): Promise<Locator> {
  await loginButton(page).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Password', { exact: true })).toBeVisible()
  if (mode === 'Sign Up') {
    await dialog.getByRole('button', { name: 'Sign Up' }).click()
    await expect(dialog.getByLabel('Full name')).toBeVisible()
  }
  return dialog
}

/** Uses the text content, because the inner text of cards that are not rendered yet is empty. */
export async function cardNames(within: Page | Locator): Promise<string[]> {
  return (await within.locator('article.card h3').allTextContents()).map((name) => name.trim())
}

export function section(page: Page, heading: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
}

export const cartCount = (page: Page) => page.getByTestId('cart-count')

/** Records every request whose URL contains `part`, so that a test can check that nothing was sent. */
export function listen(page: Page, part: string): Request[] {
  const seen: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) seen.push(request)
  })
  return seen
}

/**
 * Delays the responses of such URLs until they are released; `asked` counts the requests. Releasing waits for the first
 * of them: with a URL that nothing requests, nothing would be delayed, and the test would only have been quick.
 */
export async function hold(
  page: Page,
  addresses: string,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
) {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  let asked = 0
  await page.route(addresses, async (route) => {
    asked += 1
    await released
    await answer(route)
  })
  const release = async () => {
    await expect.poll(() => asked, `requests of ${addresses}`).toBeGreaterThan(0)
    resolve()
  }
  return { release, asked: () => asked }
}

/** Delays the app, so that the page stays as the server sent it. */
export const holdApp = (page: Page) => hold(page, '**/assets/{index,main}-*.js')

export async function inNepali(page: Page) {
  await page.context().addCookies([{ name: 'lang', value: 'ne', url: shopUrl() }])
}

/** Waits for two frames and an idle moment, so that all rendering and its effects are done. */
export async function drawn(page: Page) {
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done())))
      }),
  )
}
