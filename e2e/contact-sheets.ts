/**
 * Shows every screen of the shop at 360 and 1280 px, in both themes and both languages, on contact sheets: WebP files of
 * several screens with their names, in contact-sheets/ (or the folder in CONTACT_SHEETS), by area, theme and language.
 * `npm run contact-sheets -- home cart` shows only those, `--areas shop,seller` only the screens of these areas
 * (support/screens.ts), `--themes dark` and `--languages ne` only one theme or language; `--per-sheet 4` makes smaller
 * sheets, `--format png` another kind of file. The environment needs the lines that scripts/stack up prints.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { CHROMIUM, CHROMIUM_FLAGS, DESKTOP, PHONE } from './support/chromium.ts'
import { namesByArea } from './support/screens.ts'
import { LANGUAGES, type Language, type Sight, settle, walk } from './walk.ts'

const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const WIDTHS = [PHONE.width, DESKTOP.width]
/** The height of every picture on a sheet; the widths follow from it. */
const HEIGHT = 480
const COLUMNS = 2
const GAP = 24
const WIDTH = Math.ceil(
  COLUMNS * (HEIGHT * (PHONE.width / PHONE.height + DESKTOP.width / DESKTOP.height) + 2 * GAP) + GAP,
)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    areas: { type: 'string', default: '' },
    themes: { type: 'string', default: THEMES.join() },
    languages: { type: 'string', default: LANGUAGES.join() },
    'per-sheet': { type: 'string', default: '8' },
    format: { type: 'string', default: 'webp' },
    windows: { type: 'string', default: '2' },
  },
})
const listed = (text: string) => text.split(',').filter(Boolean)
const themes = THEMES.filter((theme) => listed(values.themes).includes(theme))
const languages = LANGUAGES.filter((lang) => listed(values.languages).includes(lang))
const format = values.format === 'png' ? 'png' : 'webp'
const perSheet = Math.max(1, Number(values['per-sheet']))
const out = process.env.CONTACT_SHEETS ?? join(import.meta.dirname, 'contact-sheets')
const shots = mkdtempSync(join(tmpdir(), 'contact-sheets-'))
/** Screens that could not be opened or photographed in a language. */
const lost = new Set<string>()

const allAreas = await namesByArea()
const unknown = listed(values.areas).filter((name) => !allAreas.some(([area]) => area === name))
if (unknown.length > 0) throw new Error(`no area is called ${unknown.join(', ')}`)
const areas = allAreas
  .filter(([area]) => !values.areas || listed(values.areas).includes(area))
  .map(([area, names]) => ({
    area,
    names: positionals.length > 0 ? names.filter((name) => positionals.includes(name)) : names,
  }))
  .filter(({ names }) => names.length > 0)

const shotOf = (name: string, width: number, theme: Theme, lang: Language) =>
  join(shots, `${name}-${width}-${theme}-${lang}.jpg`)
const taken = new Set<string>()

/** The first screen of the page in each theme. The style sheet follows the device, so the page stays open. */
async function photograph({ page, screen, lang, size }: Sight) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await settle(page)
    const path = shotOf(screen.name, size.width, colorScheme, lang)
    await page.screenshot({ path, type: 'jpeg', quality: 92 })
    taken.add(path)
  }
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function toHtml(title: string, names: string[], theme: Theme, lang: Language): string {
  const figures = names.map((name) => {
    const pictures = WIDTHS.map((width) => shotOf(name, width, theme, lang))
      .filter((path) => taken.has(path))
      .map((path) => `<img src="data:image/jpeg;base64,${readFileSync(path).toString('base64')}">`)
    const note = lost.has(`${name} ${lang}`) ? ' · could not be opened' : ''
    return `<figure><div>${pictures.join('')}</div><figcaption>${escapeHtml(name)}${note}</figcaption></figure>`
  })
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: ${GAP}px; background: #cfd4da; color: #111; font: 600 22px sans-serif }
    h1 { margin: 0 0 ${GAP}px; font-size: 30px }
    main { display: grid; grid-template-columns: repeat(${COLUMNS}, 1fr); gap: ${GAP}px }
    figure { margin: 0 } figure div { display: flex; gap: ${GAP / 2}px; min-height: ${HEIGHT}px }
    img { height: ${HEIGHT}px; outline: 1px solid #777 } figcaption { padding-top: 8px }
  </style><h1>${escapeHtml(title)}</h1><main>${figures.join('')}</main>`
}

/** Playwright writes no WebP, but Chromium does. */
async function writeSheet(browser: Browser, html: string, path: string) {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } })
  await page.setContent(html)
  await settle(page)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format === 'webp' ? { quality: 85 } : {}),
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: WIDTH, height, scale: 1 },
  })
  writeFileSync(path, Buffer.from(data, 'base64'))
  await page.close()
}

await walk({
  names: areas.flatMap(({ names }) => names),
  wanted: (_, lang, { width }) => languages.includes(lang) && WIDTHS.includes(width),
  look: photograph,
  lost: ({ name }, lang, error) => {
    lost.add(`${name} ${lang}`)
    process.stdout.write(`${name} ${lang} could not be opened: ${error}\n`)
    process.exitCode = 1
  },
  windows: Number(values.windows),
})

mkdirSync(out, { recursive: true })
const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
const sheets: string[] = []
for (const theme of themes)
  for (const lang of languages)
    for (const { area, names } of areas) {
      const count = Math.ceil(names.length / perSheet)
      for (let sheet = 0; sheet < count; sheet += 1) {
        const part = names.slice(sheet * perSheet, (sheet + 1) * perSheet)
        const number = count > 1 ? `-${sheet + 1}` : ''
        const path = join(out, `${area}-${theme}-${lang}${number}.${format}`)
        const title = [area, theme, lang, ...(count > 1 ? [`${sheet + 1} of ${count}`] : [])].join(' · ')
        await writeSheet(browser, toHtml(title, part, theme, lang), path)
        sheets.push(path)
      }
    }
await browser.close()
rmSync(shots, { recursive: true })
process.stdout.write(`${taken.size} pictures on ${sheets.length} contact sheets, in ${out}\n`)
