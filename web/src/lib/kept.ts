/**
 * What this device keeps of the shop, so that it can be looked at without a network: the names of the stores, and which
 * addresses may ever go into them. The service worker (`web/sw`) fills and reads them; the page only asks how old they are.
 * Whatever is not named here is never kept: nothing about a person is.
 */
export const STORES = {
  files: 'thunse-files',
  pages: 'thunse-pages',
  answers: 'thunse-answers',
  pictures: 'thunse-pictures',
} as const

export type Kind = keyof typeof STORES | 'byIds' | 'leaving'

const PAGE = /^\/(?:products|categories|offers|about|cart|category\/[^/]+|product\/[^/]+\/[^/]+)?$/
const ANSWER = /^\/api\/(?:category\/get_category_public|product\/get_products|product\/get_product\/[^/]+)$/
/** Whoever leaves takes along what they have looked at. */
const LEAVING = /^\/api\/(?:(?:user|seller)\/logout|user\/delete|user\/sessions\/end_all)$/

/** What a page asks of the service worker. */
export type Asked =
  /** Keep what this page was made of and, if wanted, fetch ahead what the other pages are made of. */
  | { type: 'keep'; seen: string[]; ahead: boolean; nepali: boolean }
  /** Is a page that began with this script of your build? Answered through the port that comes along. */
  | { type: 'whose'; entry: string }
  | { type: 'take-over' }
  /** Did the network bring what was last asked of it? If not, the answer is NOTHING_CAME. */
  | { type: 'line' }

/** What the service worker tells the pages when they are shown what was kept because the network brought nothing. */
export const NOTHING_CAME = 'nothing-came'

export const BY_IDS = '/api/product/get_products_by_ids'
const CATEGORIES = '/api/category/get_category_public'
/** Stands for every page that has not been opened yet: all around, and nothing in it. */
export const EMPTY_PAGE = '/cart'

/** How what is behind an address is treated; `undefined` is not touched at all. */
export function kindOf({ pathname, search }: URL): Kind | undefined {
  if (PAGE.test(pathname)) return 'pages'
  if (ANSWER.test(pathname)) return 'answers'
  if (pathname === BY_IDS) return 'byIds'
  if (LEAVING.test(pathname)) return 'leaving'
  if (pathname.startsWith('/assets/')) return 'files'
  if (pathname.startsWith('/media/') && !search) return 'pictures'
  return undefined
}

/** The address that a page is kept under: marks that others have hung on it do not make it another page. */
export function pageAddress({ pathname, searchParams }: URL): string {
  const query = /^\/(?:products$|category\/)/.test(pathname) ? listQuery(searchParams) : ''
  return query ? `${pathname}?${query}` : pathname
}

/** The answers without which a page shows nothing, spelled as the app asks for them. */
export function answersOf(url: URL): string[] {
  const { pathname, searchParams } = url
  const [, first, second, id] = pathname.split('/')
  const list = (query: string) => `/api/product/get_products?${query}`
  if (pathname === '/') return [CATEGORIES, list('limit=24')]
  if (first === 'products') return [list(listQuery(searchParams, { limit: '24' }))]
  if (first === 'categories') return [CATEGORIES]
  if (first === 'category')
    return [CATEGORIES, list(listQuery(searchParams, { category: second ?? '', limit: '24' }))]
  if (first === 'product') return [`/api/product/get_product/${id}`]
  return []
}

/** Keys in alphabetical order and nothing that is empty, as everywhere. */
function listQuery(given: URLSearchParams, fixed: Record<string, string> = {}): string {
  const named = {
    category: given.get('category'),
    search: given.get('search'),
    sort: given.get('sort'),
    ...fixed,
  }
  const filled = Object.entries(named).flatMap(([key, value]) => (value?.trim() ? [[key, value.trim()]] : []))
  return new URLSearchParams(filled.sort()).toString()
}

/** When the prices on a page were last heard from the shop, if that is known. */
export async function heardOn(url: URL): Promise<Date | undefined> {
  if (typeof caches === 'undefined') return undefined
  const answers = await caches.open(STORES.answers)
  const addresses = url.pathname === EMPTY_PAGE ? [BY_IDS] : answersOf(url)
  const kept = await Promise.all(addresses.map((address) => answers.match(address, { ignoreVary: true })))
  const times = kept.flatMap((answer) => Date.parse(answer?.headers.get('date') ?? '') || [])
  return times.length > 0 ? new Date(Math.min(...times)) : undefined
}
