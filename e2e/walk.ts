/** The walk through every screen of the shop in every state, for whoever wants to look at it: see screenshots.ts and look.ts. */
import { type Browser, chromium, type Page, type Request } from '@playwright/test'
import { shopUrl } from './support/api.ts'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE, TABLET } from './support/chromium.ts'
import { enter, everyScreen, type Screen, tidyUp } from './support/screens.ts'

/** Phones and tablets are touched, a desk has a mouse; no browser changes from one to the other. */
const TOUCHED = [PHONE, TABLET]
const WITH_A_MOUSE = [DESKTOP]
export const SIZES = [...TOUCHED, ...WITH_A_MOUSE]
export const LANGUAGES = ['en', 'ne'] as const
export type Language = (typeof LANGUAGES)[number]
export type Size = (typeof SIZES)[number]
/** One screen in one language at one width, on the page that shows it now. */
export type Sight = { page: Page; screen: Screen; lang: Language; size: Size }

type Visit = { screen: Screen; lang: Language; sizes: Size[] }
type Walk = {
  /** Only these screens; all of them without any. */
  names: string[]
  /** Whether this one is wanted. */
  wanted: (screen: Screen, lang: Language, size: Size, index: number) => boolean
  look: (sight: Sight) => Promise<unknown>
  /** A screen that could not be entered, twice. */
  lost: (screen: Screen, lang: Language, error: unknown) => void
  /** A screen that is entered a second time, because the first time failed. */
  again?: (screen: Screen, lang: Language, error: unknown) => void
  /** Called with what a page threw or complained of. */
  complaint?: (screen: Screen, lang: Language, text: string) => void
  /** How many windows are open at a time. */
  windows?: number
}

/** Every wanted screen is entered once per language and kind of browser and then resized; answers with how many sights there were. */
export async function walk({
  names,
  wanted,
  look,
  lost,
  again,
  complaint,
  windows = 2,
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
        if (screen.fresh) return sizes.map((size) => ({ screen, lang, sizes: [size] }))
        return sizes.length > 0 ? [{ screen, lang, sizes }] : []
      }),
    ),
  )
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
  let sights = 0
  const window = async () => {
    for (let visit = visits.shift(); visit; visit = visits.shift()) {
      const { screen, lang } = visit
      const told = (text: string) => complaint?.(screen, lang, text)
      // A busy machine loses a race now and then; what is wrong is wrong twice.
      const first = await come(browser, visit, look, told).catch((error) => {
        again?.(screen, lang, error)
        return 0
      })
      const seen =
        first ||
        (await come(browser, visit, look, told).catch((error) => {
          lost(screen, lang, error)
          return 0
        }))
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
  { screen, lang, sizes }: Visit,
  look: Walk['look'],
  told: (text: string) => void,
): Promise<number> {
  const first = sizes[0] ?? PHONE
  // A fresh visitor each time: nothing of one screen leaks into the next.
  const context = await browser.newContext({
    baseURL: shopUrl(),
    viewport: first,
    isMobile: first !== DESKTOP,
    hasTouch: first !== DESKTOP,
    reducedMotion: 'reduce',
    // What it keeps for later would answer before the answers that a screen is about.
    serviceWorkers: 'block',
  })
  try {
    await context.addCookies([{ name: 'lang', value: lang, url: shopUrl() }])
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    page.on('pageerror', (error) => told(`the page threw: ${error}`))
    // A browser writes every failed call down; those are what some screens are about.
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
    // Messages stay for as long as a pointer rests on them.
    await page.locator('.toaster').dispatchEvent('pointerover')
    for (const size of sizes) {
      await page.setViewportSize(size)
      await settle(page)
      // Without one of its files a page looks like no page of ours: whatever would be found on it is no finding.
      if (lostFiles.size > 0) throw new Error(`did not load: ${[...lostFiles].join(', ')}`)
      await look({ page, screen, lang, size })
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    return sizes.length
  } finally {
    await context.close()
  }
}

/** A style sheet or a script that did not come, though the page was still there and was not meant to be offline. */
function isLost(request: Request): boolean {
  const reason = request.failure()?.errorText ?? ''
  return (
    /^(stylesheet|script)$/.test(request.resourceType()) &&
    !/ERR_(ABORTED|INTERNET_DISCONNECTED)/.test(reason)
  )
}

/** Pictures and fonts are there, and whatever waits for a quiet moment has had it. */
export async function settle(page: Page) {
  await page.evaluate(async () => {
    await document.fonts.ready
    // A lazy picture outside the screen never decodes, so only those inside are waited for; nor for ever, where there is no network.
    const pictures = [...document.images].filter((image) => {
      const { top, left, right } = image.getBoundingClientRect()
      return top < innerHeight && left < innerWidth && right > 0
    })
    await Promise.race([
      Promise.all(pictures.map((image) => image.decode().catch(() => undefined))),
      new Promise((done) => setTimeout(done, 2_000)),
    ])
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}
