/**
 * Makes the pictures of the demo shop (server/seed/pictures) and the emoji of the web app's drawings (web/src/assets/emoji)
 * from data/drawings.json. Run by hand when the table or a drawing changes; the results are committed (decision 077).
 * With `--sheet FILE` it only makes a contact sheet of all products, as PNG.
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
const WIDTHS = [144, 384]
const LARGEST = WIDTHS.at(-1)
const EMOJI_WIDTH = 192
const QUALITY = 0.6

const ROOT = join(import.meta.dirname, '../..')
const PICTURES = join(ROOT, 'server/seed/pictures')
const EMOJI = join(ROOT, 'web/src/assets/emoji')
const read = (path) => readFileSync(join(ROOT, path))
const base64 = (path) => read(path).toString('base64')
const table = JSON.parse(read('data/drawings.json'))

/** Unpacks the emoji into a folder and returns how to find one of them as a data URL. */
function fetchEmoji(folder, emojiName) {
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
    const path = [emojiName(emoji), `${emojiName(emoji)}-fe0f`]
      .map((name) => join(folder, 'package/assets', `${name}.webp`))
      .find(existsSync)
    if (!path) throw new Error(`${emoji} is not in ${PACKAGE}`)
    return `data:image/webp;base64,${readFileSync(path).toString('base64')}`
  }
}

/** The app's own modules that draw. */
async function loadModules() {
  const vite = await createServer({
    root: join(ROOT, 'web'),
    server: { middlewareMode: true, ws: false },
    appType: 'custom',
    logLevel: 'warn',
    optimizeDeps: { noDiscovery: true },
  })
  const names = ['drawing.tsx', 'parts.tsx', 'pack-size.ts', 'emoji-name.ts']
  const modules = await Promise.all(
    names.map((name) => vite.ssrLoadModule(`/src/features/media/drawing/${name}`)),
  )
  await vite.close()
  return Object.assign({}, ...modules)
}

/** Every category and product of the catalogue with its drawing as SVG. */
function drawAll({ Drawing, EmojiPictures, packSize }, emojiPicture) {
  const things = JSON.parse(read('server/seed/catalogue.json')).flatMap((category) => [
    { slug: category.slug, drawing: table.categories[category.slug], isCategory: true },
    ...category.products.map(({ slug, unit }) => ({
      slug,
      drawing: { pack: packSize(unit.label), ...table.products[slug] },
    })),
  ])
  return things.map(({ drawing, ...thing }, index) => {
    const element = createElement(EmojiPictures, { value: emojiPicture }, createElement(Drawing, { drawing }))
    return { ...thing, svg: renderToStaticMarkup(element, { identifierPrefix: `p${index}` }) }
  })
}

const FONTS = `
  @font-face { font-family: Mukta; font-weight: 600; src: url(data:font/woff2;base64,${base64('web/src/assets/fonts/mukta-latin-600.woff2')}) }
  @font-face { font-family: Mukta; font-weight: 700; src: url(data:font/woff2;base64,${base64('web/src/assets/fonts/mukta-latin-700.woff2')}) }
  @font-face { font-family: Noto; font-weight: 400 700; src: url(data:font/woff2;base64,${base64('web/src/assets/fonts/noto-deva-400-700.woff2')}) }
  body { margin: 0; font-family: Mukta, Noto }`

/** Encodes a picture as WebP in each width; runs in the browser. */
async function encode({ address, widths, quality }) {
  const picture = await createImageBitmap(await (await fetch(address)).blob())
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
    const styles = `${FONTS} svg { width: ${LARGEST}px; height: ${LARGEST}px; display: block }`
    await page.setContent(`<style>${styles}</style>${svg}`)
    await page.evaluate(() => document.fonts.ready)
    const png = (await page.screenshot({ omitBackground: true })).toString('base64')
    const address = `data:image/png;base64,${png}`
    const encoded = await page.evaluate(encode, { address, widths: WIDTHS, quality: QUALITY })
    for (const [index, width] of WIDTHS.entries())
      writeFileSync(join(PICTURES, `${slug}-${width}.webp`), Buffer.from(encoded[index], 'base64'))
  }
}

/** Saves the emoji that the table names for the web app, which draws products without a photo with them. */
async function saveEmoji(page, emojiName, emojiPicture) {
  const drawings = [table.categories, table.products, table.others].flatMap((part) => Object.values(part))
  for (const emoji of new Set(drawings.flatMap(({ emblem }) => emblem ?? []))) {
    const address = emojiPicture(emoji)
    const [encoded] = await page.evaluate(encode, { address, widths: [EMOJI_WIDTH], quality: QUALITY })
    writeFileSync(join(EMOJI, `${emojiName(emoji)}.webp`), Buffer.from(encoded, 'base64'))
  }
}

function emptyFolder(path) {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
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

const [option, sheet] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'demo-pictures-'))
const { chromium } = createRequire(join(ROOT, 'e2e/package.json'))('@playwright/test')
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium-headless-shell',
})
try {
  const modules = await loadModules()
  const emojiPicture = fetchEmoji(folder, modules.emojiName)
  const drawn = drawAll(modules, emojiPicture)
  const page = await browser.newPage({ deviceScaleFactor: option === '--sheet' ? 2 : 1 })
  if (option === '--sheet') {
    const products = drawn.filter(({ isCategory }) => !isCategory)
    await saveSheet(page, products, sheet)
  } else {
    emptyFolder(PICTURES)
    emptyFolder(EMOJI)
    await savePictures(page, drawn)
    await saveEmoji(page, modules.emojiName, emojiPicture)
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
