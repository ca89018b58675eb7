/**
 * Every screen of the shop at 360 and 1280 px, the seller's desk at 768 px too, in both languages, into docs/screenshots/ (or the folder that SCREENSHOTS names).
 * Needs the lines that scripts/stack up prints in the environment. `npm run screenshots -- home cart` takes only those screens.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { allProducts, productPath, shopUrl } from './support/api.ts'
import { BUYING_SCREENS, type BuyingScreen, enterAsBuyer, isBuyer } from './support/buying-screens.ts'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE, TABLET } from './support/chromium.ts'
import { DESK_SCREENS, tidy } from './support/desk-screens.ts'
import { PAYING_SCREENS } from './support/paying-screens.ts'
import { enterAs, PEOPLE_SCREENS } from './support/people-screens.ts'

const TALLEST = 2400
const OUT = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../docs/screenshots')

type Screen = {
  name: string
  path: string
  who?: BuyingScreen['who']
  cart?: Record<string, number>
  prepare?: (page: Page) => Promise<unknown>
  /** '360-ne': a width and a language. */
  looks?: string[]
}

const products = await allProducts()
const shown = products.find(({ stock, rating }) => stock > 10 && rating >= 4.5)
const soldOut = products.find(({ stock }) => stock === 0)
if (!shown || !soldOut) throw new Error('the demo shop lacks a product in stock or one out of stock')
const threeLines = Object.fromEntries(
  products
    .filter(({ stock }) => stock > 10)
    .slice(3, 6)
    .map(({ id }, index) => [id, index + 1]),
)

const USUAL = [`${PHONE.width}-en`, `${PHONE.width}-ne`, `${DESKTOP.width}-en`, `${DESKTOP.width}-ne`]
/** There are many of the desk: Nepali where there is little room, English where there is more. */
const OF_THE_DESK = [`${PHONE.width}-ne`, `${TABLET.width}-en`, `${DESKTOP.width}-en`]

const SCREENS: Screen[] = [
  { name: 'home', path: '/' },
  { name: 'products', path: '/products' },
  { name: 'products-search', path: '/products?search=chamal' },
  { name: 'products-no-match', path: '/products?search=xyzzy' },
  { name: 'categories', path: '/categories' },
  { name: 'category', path: '/category/rice-grains' },
  { name: 'category-not-found', path: '/category/nope' },
  { name: 'product', path: productPath(shown) },
  { name: 'product-out-of-stock', path: productPath(soldOut) },
  { name: 'offers', path: '/offers' },
  { name: 'about', path: '/about' },
  { name: 'cart-empty', path: '/cart' },
  { name: 'cart', path: '/cart', cart: threeLines },
  {
    name: 'menu',
    path: '/',
    prepare: (page) => page.locator('.menu-button').click(),
    looks: [`${PHONE.width}-en`, `${PHONE.width}-ne`],
  },
  { name: 'not-found', path: '/no-such-page' },
  ...PEOPLE_SCREENS,
  ...BUYING_SCREENS,
  ...PAYING_SCREENS,
  ...DESK_SCREENS.map((screen) => ({ ...screen, looks: OF_THE_DESK })),
]

const only = process.argv.slice(2)
const screens = only.length > 0 ? SCREENS.filter(({ name }) => only.includes(name)) : SCREENS
mkdirSync(OUT, { recursive: true })
const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
const files: string[] = []
for (const size of [PHONE, TABLET, DESKTOP]) {
  for (const lang of ['en', 'ne']) {
    for (const { name, path, who = 'visitor', cart, prepare, looks = USUAL } of screens) {
      if (!looks.includes(`${size.width}-${lang}`)) continue
      // A fresh visitor each time: nothing of one screen leaks into the next.
      const context = await browser.newContext({
        // Only so that the style below may be added.
        bypassCSP: true,
        baseURL: shopUrl(),
        viewport: size,
        hasTouch: size === PHONE,
        reducedMotion: 'reduce',
      })
      await context.addCookies([{ name: 'lang', value: lang, url: shopUrl() }])
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      if (cart)
        await page.addInitScript((lines) => localStorage.setItem('thunse.cart', lines), JSON.stringify(cart))
      await (isBuyer(who) ? enterAsBuyer(page, who) : enterAs(page, who))
      await page.goto(path)
      await page.locator('.toaster').waitFor({ state: 'attached' })
      await prepare?.(page)
      await settle(page)
      const file = join(OUT, `${name}-${size.width}-${lang}.png`)
      // Scrolled through once, so that the lazy pictures are there, and cut where it gets endless.
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      const shownHeight = Math.max(size.height, Math.min(height, TALLEST))
      for (let y = 0; y < shownHeight; y += size.height) {
        await page.evaluate((top) => window.scrollTo(0, top), y)
        await settle(page)
      }
      await page.evaluate(() => window.scrollTo(0, 0))
      const overlay = (await page.locator('dialog[open]').count()) > 0
      // A picture of the whole page shows what a screen would leave undrawn until it is scrolled to.
      await page.addStyleTag({ content: '*{content-visibility:visible!important}' })
      await page.screenshot(
        overlay
          ? { path: file }
          : { path: file, fullPage: true, clip: { x: 0, y: 0, width: size.width, height: shownHeight } },
      )
      files.push(file)
      await context.close()
      if (who === 'desk') await tidy()
    }
  }
}
await browser.close()

shrink(files)
const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
process.stdout.write(`${files.length} screenshots, ${(bytes / 1024 / 1024).toFixed(1)} MB, in ${OUT}\n`)

/** Pictures and fonts are there, and whatever waits for a quiet moment has had it. */
async function settle(page: Page) {
  await page.evaluate(async () => {
    await document.fonts.ready
    // A lazy picture outside the screen never decodes, so only those inside are waited for.
    const pictures = [...document.images].filter((image) => {
      const { top, left, right } = image.getBoundingClientRect()
      return top < innerHeight && left < innerWidth && right > 0
    })
    await Promise.all(pictures.map((image) => image.decode().catch(() => undefined)))
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
  const ad = page.getByTestId('ad-slot')
  if (await ad.count()) await page.locator('[data-testid=ad-slot][data-started=true]').waitFor()
}

/** 256 colours are enough to judge a screen by, and a quarter of the bytes. */
function shrink(pngs: string[]) {
  try {
    execFileSync('pngquant', ['--force', '--skip-if-larger', '--ext', '.png', '--speed', '3', '64', ...pngs])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return
    process.stdout.write('pngquant is not installed: the screenshots stay large\n')
  }
}
