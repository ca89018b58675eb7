/**
 * Takes screenshots of every screen of the shop in every state, in both languages and at three widths, into
 * screenshots/ (or the folder in SCREENSHOTS). `npm run screenshots -- home cart` takes only those, `--widths 360,1280`
 * leaves out the third width; `--readme` takes the few of the README, into docs/screenshots/. The environment needs the lines that scripts/stack up prints.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Sight, settle, walk } from './walk.ts'

const TALLEST = 2400
/** The screenshots of the README: screen, width and language. */
const IN_README = [
  'home-360-en',
  'product-360-ne',
  'cart-checkout-360-ne',
  'products-1280-en',
  'orders-768-en',
  'seller-orders-1280-en',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    readme: { type: 'boolean', default: false },
    widths: { type: 'string', default: '360,768,1280' },
    windows: { type: 'string', default: '2' },
  },
})
const out =
  process.env.SCREENSHOTS ?? join(import.meta.dirname, values.readme ? '../docs/screenshots' : 'screenshots')
const files: string[] = []
mkdirSync(out, { recursive: true })

const nameOf = ({ screen, size, lang }: Pick<Sight, 'screen' | 'size' | 'lang'>) =>
  `${screen.name}-${size.width}-${lang}`

async function take(sight: Sight) {
  const { page, size, screen } = sight
  const path = join(out, `${nameOf(sight)}.png`)
  // Scrolls through the page once to load lazy pictures, and cuts very long pages.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const shown = Math.max(size.height, Math.min(height, TALLEST))
  const overlay = (await page.locator('dialog[open]').count()) > 0
  if (!overlay) {
    for (let y = 0; y < shown; y += size.height) {
      await page.evaluate((top) => window.scrollTo(0, top), y)
      await settle(page)
    }
    await page.evaluate(() => window.scrollTo(0, 0))
    const ad = page.locator('[data-testid=ad-slot]')
    if (await ad.count()) await page.locator('[data-testid=ad-slot][data-started=true]').waitFor()
  }
  // A screenshot of the whole page includes parts that are otherwise not rendered before they are scrolled to.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*{content-visibility:visible!important}')
    document.adoptedStyleSheets = [sheet]
  })
  await page.screenshot(
    // The README shows only the first screen of a page.
    overlay || screen.widths || values.readme
      ? { path }
      : { path, fullPage: true, clip: { x: 0, y: 0, width: size.width, height: shown } },
  )
  files.push(path)
}

await walk({
  names: positionals,
  wanted: (screen, lang, size) =>
    values.readme
      ? IN_README.includes(nameOf({ screen, size, lang }))
      : values.widths.split(',').includes(String(size.width)),
  look: take,
  lost: ({ name }, lang, error) => {
    process.stdout.write(`${name} ${lang} could not be entered: ${error}\n`)
    process.exitCode = 1
  },
  windows: Number(values.windows),
})
shrink(files)
const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
process.stdout.write(`${files.length} screenshots, ${(bytes / 1024 / 1024).toFixed(1)} MB, in ${out}\n`)

/** 256 colours are enough to judge a screen, and need a quarter of the bytes. */
function shrink(pngs: string[]) {
  if (pngs.length === 0) return
  try {
    execFileSync('pngquant', ['--force', '--skip-if-larger', '--ext', '.png', '--speed', '3', '64', ...pngs])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return
    process.stdout.write('pngquant is not installed: the screenshots stay large\n')
  }
}
