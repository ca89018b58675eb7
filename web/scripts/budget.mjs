// Checks the size of the built files against the budget for phones on slow connections (gzip -9, KB = 1024 bytes).
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = new URL('../dist/', import.meta.url)
const SHARED_LIMIT = 120
const CSS_LIMIT = 12
/** The limit for a style sheet that is loaded on demand. */
const LATE_CSS_LIMIT = 4

/** The page module of each route and the limit for its JavaScript in total, including messages. */
const ROUTES = {
  '/': { page: 'home-page', limit: 130 },
  '/products': { page: 'products-page', limit: 127 },
  '/categories': { page: 'categories-page', limit: 126 },
  '/category/*': { page: 'category-page', limit: 126 },
  '/product/*': { page: 'product-page', limit: 127 },
  '/cart': { page: 'cart-page', limit: 132, messages: ['cart'] },
  '/offers': { page: 'offers-page', limit: 123 },
  '/about': { page: 'about-page', limit: 122, messages: ['about'] },
  '/orders': { page: 'orders-page', limit: 126, messages: ['orders'] },
  '/payment': { page: 'payment-page', limit: 124, messages: ['payment'] },
  '/profile': { page: 'profile-page', limit: 129, messages: ['account'] },
  '/add_address': { page: 'add-address-page', limit: 132, messages: ['account'] },
  '/reset-password': { page: 'reset-password-page', limit: 128, messages: ['account'] },
  '/cancel-email-change': { page: 'cancel-email-change-page', limit: 127, messages: ['account'] },
  '/confirm-email': { page: 'confirm-email-page', limit: 127, messages: ['account'] },
  '/seller': {
    page: ['../seller/seller-layout', '../seller/product-list-page'],
    limit: 153,
    messages: ['account', 'seller', 'sellerCatalogue'],
  },
  '/seller/orders': {
    page: ['../seller/seller-layout', '../seller/orders-page'],
    limit: 154,
    messages: ['account', 'seller', 'sellerOrders', 'orderDetails', 'orders'],
  },
  '/seller/overview': {
    page: ['../seller/seller-layout', '../seller/overview-page'],
    limit: 150,
    messages: ['account', 'seller', 'sellerShop'],
  },
}
/** Every visitor downloads it after the page has loaded, and again with every version. */
const SERVICE_WORKER_LIMIT = 12
/** The size that the login dialog adds to its page, including messages. */
const LOGIN_LIMIT = 12

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

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
// The entry only waits for the first paint and then loads the app that every page shares.
const shared = closure('src/main.tsx', closure(entry))
const rows = []
const row = (what, size, limit) =>
  rows.push({ what, 'KB gz': Number(size.toFixed(1)), limit, over: size > limit })

const scripts = (keys) => [...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js'))
row('shared JS', await sum(scripts(shared)), SHARED_LIMIT)
const messagesOf = (parts = []) => parts.map((part) => `src/locales/en.json?part=${part}`)
for (const [route, { page, limit, messages }] of Object.entries(ROUTES)) {
  const keys = [page].flat().map((name) => posix.normalize(`src/pages/storefront/${name}.tsx`))
  const found = new Set(shared)
  for (const needed of [...keys, ...messagesOf(messages)]) {
    if (!manifest[needed]) throw new Error(`No chunk for ${route}: expected ${needed} in the manifest.`)
    closure(needed, found)
  }
  row(route, await sum(scripts(found)), limit)
}
const login = closure('src/features/accounts/auth-forms.tsx', closure(messagesOf(['account'])[0]))
row('login dialog', await sum(scripts([...login].filter((key) => !shared.has(key)))), LOGIN_LIMIT)

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
