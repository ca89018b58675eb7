/**
 * What this device caches of the shop for offline use: the names of the caches and the URLs that may be stored. The
 * service worker (`web/sw`) fills and reads them; the page only asks for their age. Nothing else is ever cached, and
 * nothing about a person.
 */
export const CACHE_NAMES = {
  files: 'thunse-files',
  pages: 'thunse-pages',
  answers: 'thunse-answers',
  pictures: 'thunse-pictures',
} as const

export type ResourceKind = keyof typeof CACHE_NAMES | 'byIds' | 'leaving'

const PAGE =
  /^\/(?:products|categories|offers|about|privacy|terms|returns|delivery-policy|cart|seller\/deliveries|category\/[^/]+|product\/[^/]+\/[^/]+)?$/
const RESPONSE =
  /^\/api\/(?:category\/get_category_public|product\/get_products|product\/get_product\/[^/]+|policy\/get_policy\/[^/]+|coupon\/get_public_coupons)$/
/** A logout, an account deletion or the end of all sessions also clears the visited pages from the cache. */
const LOGOUT = /^\/api\/(?:(?:user|seller)\/logout|user\/delete|user\/sessions\/end_all)$/

/** The messages from a page to the service worker. */
export type WorkerMessage =
  /** Cache the resources of this page and, with `prefetch`, fetch those of the other pages ahead. */
  | { type: 'keep'; resources: string[]; prefetch: boolean; nepali: boolean }
  /** Does a page that started with this script belong to your build? The reply goes through the transferred port. */
  | { type: 'whose'; entry: string }
  | { type: 'take-over' }
  /** Did the last network request succeed? If not, the reply is NETWORK_FAILED. */
  | { type: 'line' }

/** Sent by the service worker when pages show cached responses because the network failed. */
export const NETWORK_FAILED = 'nothing-came'

export const PRODUCTS_BY_IDS = '/api/product/get_products_by_ids'
const CATEGORIES = '/api/category/get_category_public'
const COUPONS = '/api/coupon/get_public_coupons'
/** Stands for every page that has not been opened yet: it is the layout without content. */
export const SHELL_PAGE = '/cart'

/** How the service worker treats a URL; `undefined` means that it does not handle it. */
export function resourceKind({ pathname, search }: URL): ResourceKind | undefined {
  if (PAGE.test(pathname)) return 'pages'
  if (RESPONSE.test(pathname)) return 'answers'
  if (pathname === PRODUCTS_BY_IDS) return 'byIds'
  if (LOGOUT.test(pathname)) return 'leaving'
  if (pathname.startsWith('/assets/')) return 'files'
  if (pathname.startsWith('/media/') && !search) return 'pictures'
  return undefined
}

/** The cache key of a page: tracking parameters do not make it another page. */
export function pageCacheKey({ pathname, searchParams }: URL): string {
  const query = /^\/(?:products$|category\/)/.test(pathname) ? listQuery(searchParams) : ''
  return query ? `${pathname}?${query}` : pathname
}

/** The responses without which a page shows nothing, with the same spelling as the app's requests. */
export function responsesFor(url: URL): string[] {
  const { pathname, searchParams } = url
  const [, first, second, id] = pathname.split('/')
  const list = (query: string) => `/api/product/get_products?${query}`
  if (pathname === '/') return [CATEGORIES, list('limit=24')]
  if (first === 'products') return [list(listQuery(searchParams, { limit: '24' }))]
  if (first === 'categories') return [CATEGORIES]
  if (first === 'category')
    return [CATEGORIES, list(listQuery(searchParams, { category: second ?? '', limit: '24' }))]
  if (first === 'offers') return [list('discounted=true&limit=24'), COUPONS]
  if (first === 'product') return [`/api/product/get_product/${id}`]
  return []
}

/** Builds a query with sorted keys and without empty values, as the API client does. */
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

/** When the prices on a page were last fetched, if that is known. */
export async function pricesFetchedAt(url: URL): Promise<Date | undefined> {
  if (typeof caches === 'undefined') return undefined
  const answers = await caches.open(CACHE_NAMES.answers)
  const addresses = url.pathname === SHELL_PAGE ? [PRODUCTS_BY_IDS] : responsesFor(url)
  const cached = await Promise.all(addresses.map((address) => answers.match(address, { ignoreVary: true })))
  const times = cached.flatMap((answer) => Date.parse(answer?.headers.get('date') ?? '') || [])
  return times.length > 0 ? new Date(Math.min(...times)) : undefined
}
