import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { stockLevel } from '@/features/catalogue/stock'

export type SellerProduct = Schemas['SellerProduct']
export type SellerProductPage = Schemas['SellerProductList']

export const STOCK_FILTERS = ['all', 'low', 'out'] as const
export type StockFilter = (typeof STOCK_FILTERS)[number]
export type SellerProductSort = 'newest' | 'name' | 'price_asc' | 'price_desc' | 'stock'
export type SellerProductFilter = { search: string; stock: StockFilter; sort: SellerProductSort }

/** The price that the seller edits: while a sale runs, the one that comes back at its end. */
export const regularPrice = (product: SellerProduct) => product.regularPrice ?? product.price

type Counts = SellerProductPage['counts']
type Pages = { pages: SellerProductPage[]; pageParams: unknown[] }

/** Under `seller`, so that it is dropped when the seller signs out. */
const LISTS = ['seller', 'products']
const NAMES = ['seller', 'product-name']
const PAGE_SIZE = 50

async function fetchSellerProducts(
  query: Partial<SellerProductFilter> & { cursor?: string; limit: number },
  signal?: AbortSignal,
) {
  const answer = await api.GET('/api/product/get_seller_products', {
    params: { query },
    ...(signal ? { signal } : {}),
  })
  return unwrap(answer)
}

export const sellerProducts = (filter: SellerProductFilter) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, filter],
    queryFn: ({ pageParam, signal }) =>
      fetchSellerProducts({ ...filter, cursor: pageParam, limit: PAGE_SIZE }, signal),
    initialPageParam: '',
    getNextPageParam: (last: SellerProductPage) => last.nextCursor || undefined,
    placeholderData: keepPreviousData,
    // Sales change the stock all the time, so a seller who comes back gets current figures.
    staleTime: 0,
    meta: { failed: 'products.failed', error: 'products.error' },
  })

/** Whether the shop has a product with exactly this name. */
export const nameTaken = (name: string) =>
  queryOptions({
    queryKey: [...NAMES, name],
    queryFn: async ({ signal }) => {
      const { data } = await fetchSellerProducts({ search: name, limit: 20 }, signal)
      return data.some((product) => product.name.trim().toLowerCase() === name.trim().toLowerCase())
    },
    retry: false,
  })

/** Marks the shoppers' queries (`catalogue`) as stale; they are refetched when they are shown next. */
export function invalidateProductLists() {
  void queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
  void queryClient.invalidateQueries({ queryKey: ['catalogue'], refetchType: 'none' })
  void queryClient.invalidateQueries({ queryKey: ['seller', 'categories'], refetchType: 'none' })
  void queryClient.invalidateQueries({ queryKey: NAMES, refetchType: 'none' })
}

export const refetchProductLists = () => queryClient.invalidateQueries({ queryKey: LISTS })

/** Updates the lists; a fetch that is already running may return the old state, so it is repeated. */
async function updateLists(change: (page: SellerProductPage) => SellerProductPage) {
  const asking = queryClient.isFetching({ queryKey: LISTS }) > 0
  await queryClient.cancelQueries({ queryKey: LISTS })
  queryClient.setQueriesData<Pages>({ queryKey: LISTS }, (cached) =>
    cached ? { ...cached, pages: cached.pages.map(change) } : cached,
  )
  invalidateProductLists()
  if (asking) void refetchProductLists()
}

/** Updates the product in every list without moving its row. */
export function updateProductInLists(product: SellerProduct): Promise<void> {
  const before = findCachedProduct(product._id)
  return updateLists((page) => ({
    ...page,
    data: page.data.map((each) => (each._id === product._id ? product : each)),
    counts: before ? recount(page.counts, before.stock, product.stock) : page.counts,
  }))
}

export function removeProductFromLists(product: SellerProduct): Promise<void> {
  const before = findCachedProduct(product._id) ?? product
  return updateLists((page) => ({
    ...page,
    total: Math.max(0, page.total - (page.totalCapped ? 0 : 1)),
    data: page.data.filter(({ _id }) => _id !== product._id),
    counts: recount(page.counts, before.stock, null),
  }))
}

function findCachedProduct(id: string): SellerProduct | undefined {
  for (const [, cached] of queryClient.getQueriesData<Pages>({ queryKey: LISTS })) {
    const found = cached?.pages.flatMap(({ data }) => data).find(({ _id }) => _id === id)
    if (found) return found
  }
  return undefined
}

/** The counts on the chips after the stock of one product has changed; `null` means that the product was deleted. */
export function recount(counts: Counts, before: number, after: number | null): Counts {
  const next = { ...counts }
  const add = (stock: number, by: 1 | -1) => {
    const level = stockLevel(stock)
    if (level !== 'in') next[level] += by
  }
  add(before, -1)
  if (after === null) next.all -= 1
  else add(after, 1)
  return next
}
