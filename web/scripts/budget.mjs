// Holds the built files against the weight we promise to phones on slow links (gzip -9, KB = 1024 bytes).
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

const DIST = new URL('../dist/', import.meta.url)
const SHARED_LIMIT = 120
const CSS_LIMIT = 12

/** Route to its page module and the most JavaScript it may load in all. */
const ROUTES = {
  '/': { page: 'home-page', limit: 130 },
  '/products': { page: 'products-page', limit: 126 },
  '/categories': { page: 'categories-page', limit: 124 },
  '/category/*': { page: 'category-page', limit: 124 },
  '/product/*': { page: 'product-page', limit: 127 },
  '/cart': { page: 'cart-page', limit: 129 },
  '/offers': { page: 'offers-page', limit: 123 },
  '/about': { page: 'about-page', limit: 123 },
}

const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', DIST), 'utf8'))
const sizes = new Map()

async function kilobytes(file) {
  if (!sizes.has(file)) {
    const plain = await readFile(new URL(file, DIST))
    sizes.set(file, gzipSync(plain, { level: 9 }).length / 1024)
  }
  return sizes.get(file)
}

/** A chunk with everything it imports at once; what it imports later is not its cost. */
function closure(key, found = new Set()) {
  if (found.has(key)) return found
  found.add(key)
  for (const next of manifest[key].imports ?? []) closure(next, found)
  return found
}

async function sum(files) {
  let total = 0
  for (const file of files) total += await kilobytes(file)
  return total
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
// The entry only waits for the first paint; the app that every page shares is what it fetches then.
const shared = closure('src/main.tsx', closure(entry))
const rows = []
const row = (what, size, limit) =>
  rows.push({ what, 'KB gz': Number(size.toFixed(1)), limit, over: size > limit })

const scripts = (keys) => [...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js'))
row('shared JS', await sum(scripts(shared)), SHARED_LIMIT)
for (const [route, { page, limit }] of Object.entries(ROUTES)) {
  const key = `src/pages/storefront/${page}.tsx`
  if (!manifest[key]) throw new Error(`No chunk for ${route}: expected ${key} in the manifest.`)
  row(route, await sum(scripts(closure(key, new Set(shared)))), limit)
}
const styles = new Set(
  Object.values(manifest).flatMap((chunk) => [
    ...(chunk.css ?? []),
    ...(chunk.file.endsWith('.css') ? [chunk.file] : []),
  ]),
)
row('all CSS', await sum(styles), CSS_LIMIT)

console.table(rows)
if (rows.some(({ over }) => over)) {
  console.error('Over budget. Find what grew before raising a limit.')
  process.exit(1)
}
