// Checks the size of the built files against the budget for phones on slow connections (gzip -9, KB = 1024 bytes).
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = new URL('../dist/', import.meta.url)
const SHARED_LIMIT = 125
const CSS_LIMIT = 12
/** The limit for a style sheet that is loaded on demand. */
const LATE_CSS_LIMIT = 4

/** The page module of each route and the limit for its JavaScript in total, including messages. */
const ROUTES = {
  '/': { page: 'home-page', limit: 139 },
  '/products': { page: 'products-page', limit: 137 },
  '/categories': { page: 'categories-page', limit: 132 },
  '/category/*': { page: 'category-page', limit: 136 },
  '/product/*': { page: 'product-page', limit: 137 },
  '/cart': { page: 'cart-page', limit: 142 },
  '/offers': { page: 'offers-page', limit: 137 },
  '/about': { page: 'about-page', limit: 127 },
  '/orders': { page: 'orders-page', limit: 137 },
  '/favourites': { page: 'favourites-page', limit: 136 },
  '/payment': { page: 'payment-page', limit: 129 },
  '/profile': { page: 'profile-page', limit: 138 },
  '/add_address': { page: 'add-address-page', limit: 138 },
  '/reset-password': { page: 'reset-password-page', limit: 135 },
  '/cancel-email-change': { page: 'cancel-email-change-page', limit: 134 },
  '/unsubscribe': { page: 'unsubscribe-page', limit: 132 },
  '/confirm-email': { page: 'confirm-email-page', limit: 134 },
  '/seller': {
    page: ['../seller/seller-layout', '../seller/product-list-page'],
    limit: 154,
  },
  '/seller/orders': {
    page: ['../seller/seller-layout', '../seller/orders-page'],
    limit: 161,
  },
  '/seller/overview': {
    page: ['../seller/seller-layout', '../seller/overview-page'],
    limit: 152,
  },
}
/** Every visitor downloads it after the page has loaded, and again with every version. */
const SERVICE_WORKER_LIMIT = 12
/** The size that the login dialog adds to its page, including messages. */
const LOGIN_LIMIT = 14
/** The drawings, which only a page with a product without a photo loads. */
const DRAWINGS_LIMIT = 36

const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', DIST), 'utf8'))
const sizes = new Map()

async function kilobytes(file) {
  if (!sizes.has(file)) {
    const plain = await readFile(new URL(file, DIST))
    sizes.set(file, gzipSync(plain, { level: 9 }).length / 1024)
  }
  return sizes.get(file)
}

/** A chunk with all its static imports; dynamic imports do not count. */
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

const entry = 'index.html'
// The entry only waits for the first paint and then loads the app that every page shares.
const shared = closure('src/main.tsx', closure(entry))
const rows = []
const row = (what, size, limit) =>
  rows.push({ what, 'KB gz': Number(size.toFixed(1)), limit, over: size > limit })

const scripts = (keys) => [...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js'))
row('shared JS', await sum(scripts(shared)), SHARED_LIMIT)
const parts = JSON.parse(await readFile(new URL('../../data/messages/parts.json', import.meta.url), 'utf8'))
const messagesOf = (module) => (parts[module] ?? []).map((part) => `../data/messages/web/${part}.en.json`)
for (const [route, { page, limit }] of Object.entries(ROUTES)) {
  const modules = [page].flat().map((name) => posix.normalize(`pages/storefront/${name}`))
  const found = new Set(shared)
  for (const needed of modules.flatMap((module) => [`src/${module}.tsx`, ...messagesOf(module)])) {
    if (!manifest[needed]) throw new Error(`No chunk for ${route}: expected ${needed} in the manifest.`)
    closure(needed, found)
  }
  row(route, await sum(scripts(found)), limit)
}
const login = new Set()
for (const needed of ['src/features/accounts/auth-forms.tsx', ...messagesOf('features/accounts/auth-forms')])
  closure(needed, login)
row('login dialog', await sum(scripts([...login].filter((key) => !shared.has(key)))), LOGIN_LIMIT)

const drawings = closure('src/features/media/drawing/subject-drawing.tsx')
row('drawings', await sum(scripts([...drawings].filter((key) => !shared.has(key)))), DRAWINGS_LIMIT)

row('service worker', await kilobytes('sw.js'), SERVICE_WORKER_LIMIT)

const stylesOf = (chunk) => [...(chunk.css ?? []), ...(chunk.file.endsWith('.css') ? [chunk.file] : [])]
const first = new Set(stylesOf(manifest[entry]))
row('first CSS', await sum(first), CSS_LIMIT)
const late = new Set(
  Object.values(manifest)
    .flatMap(stylesOf)
    .filter((file) => !first.has(file)),
)
for (const file of late)
  row(file.replace(/^assets\/|-[\w-]{8}(?=\.)/g, ''), await kilobytes(file), LATE_CSS_LIMIT)

console.table(rows)
if (rows.some(({ over }) => over)) {
  console.error('Over budget. Find what grew before raising a limit.')
  process.exit(1)
}
