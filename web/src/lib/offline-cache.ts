/**
 * What this device keeps of the shop, so that it can be looked at without a network: the names of the stores, and which
 * addresses may ever go into them. The service worker (`web/sw`) fills and reads them; the page only asks how old they are.
 * Whatever is not named here is never kept: nothing about a person is.
 */
export const CACHE_NAMES = {
  files: 'thunse-files',
  pages: 'thunse-pages',
  answers: 'thunse-answers',
  pictures: 'thunse-pictures',
} as const

export type ResourceKind = keyof typeof CACHE_NAMES | 'byIds' | 'leaving'

const PAGE = /^\/(?:products|categories|offers|about|cart|category\/[^/]+|product\/[^/]+\/[^/]+)?$/
const RESPONSE =
  /^\/api\/(?:category\/get_category_public|product\/get_products|product\/get_product\/[^/]+)$/
/** Whoever leaves takes along what they have looked at. */
const LOGOUT = /^\/api\/(?:(?:user|seller)\/logout|user\/delete|user\/sessions\/end_all)$/

/** What a page asks of the service worker. */
export type WorkerMessage =
  /** Keep what this page was made of and, if wanted, fetch ahead what the other pages are made of. */
  | { type: 'keep'; resources: string[]; prefetch: boolean; nepali: boolean }
  /** Is a page that began with this script of your build? Answered through the port that comes along. */
  | { type: 'whose'; entry: string }
  | { type: 'take-over' }
  /** Did the network bring what was last asked of it? If not, the answer is NETWORK_FAILED. */
  | { type: 'line' }

/** What the service worker tells the pages when they are shown what was kept because the network brought nothing. */
export const NETWORK_FAILED = 'nothing-came'

export const PRODUCTS_BY_IDS = '/api/product/get_products_by_ids'
const CATEGORIES = '/api/category/get_category_public'
/** Stands for every page that has not been opened yet: all around, and nothing in it. */
export const SHELL_PAGE = '/cart'

/** How what is behind an address is treated; `undefined` is not touched at all. */
export function resourceKind({ pathname, search }: URL): ResourceKind | undefined {
  if (PAGE.test(pathname)) return 'pages'
  if (RESPONSE.test(pathname)) return 'answers'
  if (pathname === PRODUCTS_BY_IDS) return 'byIds'
  if (LOGOUT.test(pathname)) return 'leaving'
  if (pathname.startsWith('/assets/')) return 'files'
  if (pathname.startsWith('/media/') && !search) return 'pictures'
  return undefined
}

/** The address that a page is kept under: marks that others have hung on it do not make it another page. */
export function pageCacheKey({ pathname, searchParams }: URL): string {
  const query = /^\/(?:products$|category\/)/.test(pathname) ? listQuery(searchParams) : ''
  return query ? `${pathname}?${query}` : pathname
}

/** The answers without which a page shows nothing, spelled as the app asks for them. */
export function responsesFor(url: URL): string[] {
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
export async function pricesFetchedAt(url: URL): Promise<Date | undefined> {
  if (typeof caches === 'undefined') return undefined
  const answers = await caches.open(CACHE_NAMES.answers)
  const addresses = url.pathname === SHELL_PAGE ? [PRODUCTS_BY_IDS] : responsesFor(url)
  const cached = await Promise.all(addresses.map((address) => answers.match(address, { ignoreVary: true })))
  const times = cached.flatMap((answer) => Date.parse(answer?.headers.get('date') ?? '') || [])
  return times.length > 0 ? new Date(Math.min(...times)) : undefined
}
