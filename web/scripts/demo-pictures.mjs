/**
 * Makes the pictures of the demo shop in server/seed/pictures from data/drawings.json. Run by hand when the table or
 * a drawing changes; the results are committed (decision 077). With `--sheet FILE` it only makes a contact sheet of all
 * products as PNG; names after it, or after nothing, choose products by slug.
 *
 * Chromium draws, because it shapes Nepali text as the shop's pages do; the browser tests install it anyway. The emoji
 * are Fluent Emoji 3D from the npm package @lobehub/fluent-emoji-3d (MIT; see server/seed/LICENSES.md).
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer } from 'vite'

const PACKAGE = '@lobehub/fluent-emoji-3d@1.1.0'
const INTEGRITY = 'Wlq2lVStTnr8BDpIJ0pEnTKO4LuDxxqTEhTvRtD1DLRF0me7ogeRQjKoehDHXuVJ2Qaecgl5wRBv60lUAG3h7g=='
/** The widths that server/src/demo stores; cards need the second one on the dense screens of phones. */
const WIDTHS = [128, 384]
const LARGEST = WIDTHS.at(-1)
const QUALITY = 0.6

const ROOT = join(import.meta.dirname, '../..')
const PICTURES = join(ROOT, 'server/seed/pictures')
const read = (path) => readFileSync(join(ROOT, path))
const base64 = (path) => read(path).toString('base64')

/** Unpacks the emoji into a folder and returns how to find one of them as a data URL. */
function fetchEmoji(folder) {
  const [file] = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n')
  const found = createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64')
  if (found !== INTEGRITY) throw new Error(`${PACKAGE} is not what it was: ${found}`)
  execFileSync('tar', ['xzf', file], { cwd: folder })
  return (emoji) => {
    if (!emoji) return undefined
    const code = [...emoji].map((char) => char.codePointAt(0).toString(16)).join('-')
    const path = [code, `${code}-fe0f`]
      .map((name) => join(folder, 'package/assets', `${name}.webp`))
      .find(existsSync)
    if (!path) throw new Error(`${emoji} is not in ${PACKAGE}`)
    return `data:image/webp;base64,${readFileSync(path).toString('base64')}`
  }
}

/** Every category and product of the catalogue with its drawing as SVG. */
async function drawAll(emojiPicture) {
  const vite = await createServer({
    root: join(ROOT, 'web'),
    server: { middlewareMode: true, ws: false },
    appType: 'custom',
    logLevel: 'warn',
    optimizeDeps: { noDiscovery: true },
  })
  const load = (name) => vite.ssrLoadModule(`/src/features/media/drawing/${name}`)
  const [{ Drawing }, { EmojiPictures }, { packSize }] = await Promise.all([
    load('drawing.tsx'),
    load('parts.tsx'),
    load('pack-size.ts'),
  ])
  const table = JSON.parse(read('data/drawings.json'))
  const categories = JSON.parse(read('server/seed/catalogue.json'))
  const things = categories.flatMap((category) => [
    { slug: category.slug, drawing: table.categories[category.slug], isCategory: true },
    ...category.products.map(({ slug, unit }) => ({
      slug,
      drawing: { pack: packSize(unit.label), ...table.products[slug] },
    })),
  ])
  const drawn = things.map(({ drawing, ...thing }, index) => {
    const element = createElement(EmojiPictures, { value: emojiPicture }, createElement(Drawing, { drawing }))
    return { ...thing, svg: renderToStaticMarkup(element, { identifierPrefix: `p${index}` }) }
  })
  await vite.close()
  return drawn
}

const FONTS = `
  @font-face { font-family: Mukta; font-weight: 600; src: url(data:font/woff2;base64,${base64('web/src/assets/fonts/mukta-latin-600.woff2')}) }
  @font-face { font-family: Mukta; font-weight: 700; src: url(data:font/woff2;base64,${base64('web/src/assets/fonts/mukta-latin-700.woff2')}) }
  @font-face { font-family: Noto; font-weight: 400 700; src: url(data:font/woff2;base64,${base64('web/src/assets/fonts/noto-deva-400-700.woff2')}) }
  body { margin: 0; font-family: Mukta, Noto }`

/** Encodes a PNG as WebP in each width; runs in the browser. */
async function encode({ png, widths, quality }) {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  return Promise.all(
    widths.map(async (width) => {
      const canvas = new OffscreenCanvas(width, width)
      const context = canvas.getContext('2d')
      context.imageSmoothingQuality = 'high'
      context.drawImage(picture, 0, 0, width, width)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))
    }),
  )
}

async function savePictures(page, drawn) {
  await page.setViewportSize({ width: LARGEST, height: LARGEST })
  for (const { slug, svg } of drawn) {
    await page.setContent(
      `<style>${FONTS} svg { width: ${LARGEST}px; height: ${LARGEST}px; display: block }</style>${svg}`,
    )
    await page.evaluate(() => document.fonts.ready)
    const png = (await page.screenshot({ omitBackground: true })).toString('base64')
    const encoded = await page.evaluate(encode, { png, widths: WIDTHS, quality: QUALITY })
    for (const [index, width] of WIDTHS.entries())
      writeFileSync(join(PICTURES, `${slug}-${width}.webp`), Buffer.from(encoded[index], 'base64'))
  }
}

async function saveSheet(page, drawn, file) {
  const cells = drawn
    .map(({ slug, svg }) => `<figure>${svg}<figcaption>${slug}</figcaption></figure>`)
    .join('')
  await page.setViewportSize({ width: 1320, height: 900 })
  await page.setContent(`<style>${FONTS}
    body { display: grid; grid-template-columns: repeat(auto-fill, 120px); gap: 10px; padding: 10px; background: #fff }
    figure { margin: 0 } svg { width: 120px; height: 120px; display: block }
    figcaption { font-size: 10px; text-align: center; overflow: hidden }</style>${cells}`)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: file, fullPage: true })
}

const [option, file, ...rest] = process.argv.slice(2)
const chosen = option === '--sheet' ? rest : [option, file, ...rest].filter(Boolean)
const folder = mkdtempSync(join(tmpdir(), 'demo-pictures-'))
const { chromium } = createRequire(join(ROOT, 'e2e/package.json'))('@playwright/test')
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium-headless-shell',
})
try {
  const drawn = await drawAll(fetchEmoji(folder))
  const wanted = drawn.filter(({ slug }) => chosen.length === 0 || chosen.includes(slug))
  const page = await browser.newPage({ deviceScaleFactor: option === '--sheet' ? 2 : 1 })
  if (option === '--sheet')
    await saveSheet(
      page,
      wanted.filter(({ isCategory }) => !isCategory),
      file,
    )
  else {
    if (chosen.length === 0) rmSync(PICTURES, { recursive: true, force: true })
    mkdirSync(PICTURES, { recursive: true })
    await savePictures(page, wanted)
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
