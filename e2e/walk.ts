/** Visits every screen of the shop in every state, for screenshots.ts and visual-check.ts. */
import { type Browser, chromium, type Page, type Request } from '@playwright/test'
import { shopUrl } from './support/api.ts'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE, TABLET } from './support/chromium.ts'
import { enter, everyScreen, type Screen, tidyUp } from './support/screens.ts'

/** Phones and tablets have touch, a desktop has a mouse; a browser context cannot change from one to the other. */
const TOUCHED = [PHONE, TABLET]
const WITH_A_MOUSE = [DESKTOP]
export const SIZES = [...TOUCHED, ...WITH_A_MOUSE]
export const LANGUAGES = ['en', 'ne'] as const
export type Language = (typeof LANGUAGES)[number]
export type Size = (typeof SIZES)[number]
/** One screen in one language at one width, on its page. */
export type Sight = { page: Page; screen: Screen; lang: Language; size: Size }

type Visit = { screen: Screen; lang: Language; sizes: Size[]; dark: boolean }
type Walk = {
  /** Only these screens; all of them if empty. */
  names: string[]
  /** Whether to visit this combination. */
  wanted: (screen: Screen, lang: Language, size: Size, index: number) => boolean
  look: (sight: Sight) => Promise<unknown>
  /** Called for a screen that could not be opened. */
  lost: (screen: Screen, lang: Language, error: unknown) => void
  /** Called with errors of the page. */
  complaint?: (screen: Screen, lang: Language, text: string) => void
  /** How many windows are open at the same time. */
  windows?: number
  /** Which screens are visited in the dark theme; none unless given. */
  isDark?: (index: number) => boolean
}

/**
 * Opens every wanted screen once per language and kind of browser and then resizes it; returns the number of visits.
 */
export async function walk({
  names,
  wanted,
  look,
  lost,
  complaint,
  windows = 2,
  isDark = () => false,
}: Walk): Promise<number> {
  const all = await everyScreen()
  const unknown = names.filter((name) => !all.some((screen) => screen.name === name))
  if (unknown.length > 0) throw new Error(`no screen is called ${unknown.join(', ')}`)
  const screens = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all
  const visits = screens.flatMap((screen, index) =>
    LANGUAGES.flatMap((lang) =>
      [TOUCHED, WITH_A_MOUSE].flatMap((kind): Visit[] => {
        const sizes = kind.filter(
          (size) => (screen.widths?.includes(size.width) ?? true) && wanted(screen, lang, size, index),
        )
        const dark = isDark(index)
        if (screen.fresh) return sizes.map((size) => ({ screen, lang, sizes: [size], dark }))
        return sizes.length > 0 ? [{ screen, lang, sizes, dark }] : []
      }),
    ),
  )
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
  let sights = 0
  const window = async () => {
    for (let visit = visits.shift(); visit; visit = visits.shift()) {
      const { screen, lang } = visit
      const told = (text: string) => complaint?.(screen, lang, text)
      // Not `sights += await`, which would read `sights` before the other window adds to it.
      const seen = await come(browser, visit, look, told).catch((error) => {
        lost(screen, lang, error)
        return 0
      })
      sights += seen
    }
  }
  await Promise.all(Array.from({ length: windows }, window))
  await browser.close()
  await tidyUp()
  return sights
}

async function come(
  browser: Browser,
  { screen, lang, sizes, dark }: Visit,
  look: Walk['look'],
  told: (text: string) => void,
): Promise<number> {
  const first = sizes[0] ?? PHONE
  // Each screen has a new browser context, so that nothing leaks into the next.
  const context = await browser.newContext({
    baseURL: shopUrl(),
    viewport: first,
    isMobile: first !== DESKTOP,
    hasTouch: first !== DESKTOP,
    reducedMotion: 'reduce',
    colorScheme: dark ? 'dark' : 'light',
    // The service worker would respond before the mocked responses of a screen.
    serviceWorkers: 'block',
  })
  try {
    await context.addCookies([{ name: 'lang', value: lang, url: shopUrl() }])
    const page = await context.newPage()
    // Far more than any step needs, because the machine may be busy.
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => told(`the page threw: ${error}`))
    // Browsers log every failed request, which some screens provoke.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of \d|net::ERR_|Failed to fetch/.test(message.text()))
        told(`on the console: ${message.text()}`)
    })
    const lostFiles = new Set<string>()
    page.on('requestfailed', (request) => {
      if (isLost(request)) lostFiles.add(new URL(request.url()).pathname)
    })
    await enter(page, screen.who)
    await page.goto(screen.path)
    await page.locator('.toaster').waitFor({ state: 'attached' })
    await screen.prepare?.(page)
    // Toasts stay while a pointer rests on them.
    await page.locator('.toaster').dispatchEvent('pointerover')
    for (const size of sizes) {
      await page.setViewportSize(size)
      await settle(page)
      // A page without one of its files would only produce false findings.
      if (lostFiles.size > 0) throw new Error(`did not load: ${[...lostFiles].join(', ')}`)
      await look({ page, screen, lang, size })
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    return sizes.length
  } finally {
    await context.close()
  }
}

/** A style sheet or script that failed to load although the page was still open and not offline on purpose. */
function isLost(request: Request): boolean {
  const reason = request.failure()?.errorText ?? ''
  return (
    /^(stylesheet|script)$/.test(request.resourceType()) &&
    !/ERR_(ABORTED|INTERNET_DISCONNECTED)/.test(reason)
  )
}

/** Waits for pictures, fonts and pending rendering. */
export async function settle(page: Page) {
  await page.waitForFunction(async () => {
    await document.fonts.ready
    // A lazy picture outside of the window never loads.
    const visible = [...document.images].filter((image) => {
      const { top, bottom, left, right } = image.getBoundingClientRect()
      return top < innerHeight && bottom > 0 && left < innerWidth && right > 0
    })
    await Promise.all(visible.map((image) => image.decode().catch(() => undefined)))
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    return true
  })
}
