import { CACHE_NAMES, PRODUCTS_BY_IDS } from '../src/lib/offline-cache.ts'
import { cacheResponse, dateOf, isFresh, NETWORK_TIMEOUT_SECONDS } from './caches.ts'
import { reportNetworkFailure, reportNetworkSuccess } from './connection.ts'

type Product = { id: string }
type ProductsResponse = {
  data?: Product[] | { product?: Product; related?: Product[] }
  matches?: Product[]
  similar?: Product[]
}

/**
 * Responds with the products of the cart. Every cart has a different URL, so its response does not help the next one:
 * offline the products are collected from all cached responses.
 */
export async function productsByIds(request: Request): Promise<Response> {
  const network = fetchByIds(request)
  network.then(reportNetworkSuccess, reportNetworkFailure)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_SECONDS * 1000))
  const inTime = await Promise.race([network.catch(() => undefined), late])
  if (inTime) return inTime
  const cached = await findCachedProducts(new URL(request.url).searchParams.get('ids')?.split(',') ?? [])
  // A missing product would look like one that is no longer sold.
  if (!cached) return network
  return isFresh(cached.fetchedAt) ? respondWith(cached) : network.catch(() => respondWith(cached))
}

async function fetchByIds(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.status === 200)
    await cacheResponse(PRODUCTS_BY_IDS, await response.clone().json(), dateOf(response))
  return response
}

type CachedProducts = { products: Product[]; fetchedAt: number }

/** The response is cached with its age, so that the page can show how old the cart's prices are. */
async function respondWith({ products, fetchedAt }: CachedProducts): Promise<Response> {
  const body = { success: true, message: '', data: products }
  await cacheResponse(PRODUCTS_BY_IDS, body, new Date(fetchedAt).toUTCString())
  return Response.json(body)
}

/** The newest cached version of each product, and the age of the oldest of them. */
async function findCachedProducts(ids: string[]): Promise<CachedProducts | undefined> {
  const wantedIds = new Set(ids)
  const found = new Map<string, { product: Product; fetchedAt: number }>()
  const store = await caches.open(CACHE_NAMES.answers)
  for (const cached of await store.matchAll()) {
    const fetchedAt = Date.parse(cached.headers.get('date') ?? '') || 0
    for (const product of productsIn(await cached.json())) {
      const known = found.get(product.id)
      if (wantedIds.has(product.id) && (!known || known.fetchedAt < fetchedAt))
        found.set(product.id, { product, fetchedAt })
    }
  }
  if (found.size !== wantedIds.size) return undefined
  const all = [...found.values()]
  return {
    products: all.map(({ product }) => product),
    fetchedAt: Math.min(...all.map(({ fetchedAt }) => fetchedAt)),
  }
}

function productsIn({ data, matches = [], similar = [] }: ProductsResponse): Product[] {
  if (Array.isArray(data)) return [...data, ...matches, ...similar]
  return data?.product ? [data.product, ...(data.related ?? [])] : []
}
