// Goods in, waste and stock-taking. Calls /api/inventory.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type Supplier = Schemas['Supplier']
export type SupplierInput = Schemas['SaveSupplierRequest']
export type GoodsReceipt = Schemas['GoodsReceipt']
export type ReceiveGoods = Schemas['ReceiveGoodsRequest']
export type WasteInput = Schemas['RecordWasteRequest']
export type ExpiringBatch = Schemas['ExpiringBatch']
export type StockProduct = Schemas['StockProduct']
export type StockCount = Schemas['StockCount']
export type StockCountDetails = Schemas['StockCountDetails']
export type StockCountLine = Schemas['StockCountLine']

export const WASTE_REASONS = ['expired', 'spoiled', 'damaged', 'lost', 'own_use', 'other'] as const
export type WasteReason = (typeof WASTE_REASONS)[number]

/** Under `seller`, so that it is dropped when the seller signs out. */
const KEY = ['seller', 'inventory']
const META = { failed: 'seller.inventory.failed', error: 'seller.inventory.failed' } as const

/** A list with a cursor, newest first. */
const pagedList = <Page extends { nextCursor?: string | null }>(
  name: string,
  load: (query: { cursor?: string }, signal: AbortSignal) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey: [...KEY, name],
    queryFn: ({ pageParam, signal }) => load(pageParam ? { cursor: pageParam } : {}, signal),
    initialPageParam: '',
    getNextPageParam: (last: Page) => last.nextCursor || undefined,
    staleTime: 0,
    meta: META,
  })

export const suppliers = queryOptions({
  queryKey: [...KEY, 'suppliers'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/inventory/get_suppliers', { signal })),
  staleTime: 0,
  meta: META,
})

export const receipts = pagedList('receipts', (query, signal) =>
  unwrapData(api.GET('/api/inventory/get_receipts', { params: { query }, signal })),
)

export const wasteRecords = pagedList('waste', (query, signal) =>
  unwrapData(api.GET('/api/inventory/get_waste', { params: { query }, signal })),
)

export const expiringBatches = (days: number) =>
  queryOptions({
    queryKey: [...KEY, 'batches', days],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/inventory/get_expiring_batches', { params: { query: { days } }, signal })),
    staleTime: 0,
    meta: META,
  })

export const stockCounts = pagedList('counts', (query, signal) =>
  unwrapData(api.GET('/api/inventory/get_counts', { params: { query }, signal })),
)

export const stockCount = (id: string) =>
  queryOptions({
    queryKey: [...KEY, 'count', id],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/inventory/get_count/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
    meta: META,
  })

/** Runs a change and fetches what the page shows again; the products have another stock then. */
async function changing<T>(work: Promise<T>): Promise<T> {
  const done = await work
  void queryClient.invalidateQueries({ queryKey: ['seller', 'products'], refetchType: 'none' })
  await queryClient.invalidateQueries({ queryKey: KEY })
  return done
}

export const inventoryApi = {
  saveSupplier: (id: string, body: SupplierInput) =>
    changing(unwrapData(api.PUT('/api/inventory/save_supplier/{id}', { params: { path: { id } }, body }))),
  receive: (body: ReceiveGoods) => changing(unwrapData(api.POST('/api/inventory/receive_goods', { body }))),
  setCosts: (id: string, costs: Schemas['LineCostRequest'][]) =>
    changing(
      unwrapData(
        api.PUT('/api/inventory/set_receipt_costs/{id}', { params: { path: { id } }, body: { costs } }),
      ),
    ),
  recordWaste: (body: WasteInput) => changing(unwrapData(api.POST('/api/inventory/record_waste', { body }))),
  startCount: (id: string, category: string | null) =>
    changing(
      unwrapData(
        api.POST('/api/inventory/start_count', { body: { _id: id, ...(category ? { category } : {}) } }),
      ),
    ),
  /** Adds the line to the count that is shown, without fetching the others again. */
  recordCount: async (id: string, entry: Schemas['RecordCountRequest']) => {
    const path = { params: { path: { id } }, body: entry }
    const line = await unwrapData(api.POST('/api/inventory/record_count/{id}', path))
    queryClient.setQueryData(
      stockCount(id).queryKey,
      (known) =>
        known && {
          ...known,
          lines: [...known.lines.filter(({ product }) => product !== line.product), line],
        },
    )
    return line
  },
  applyCount: (id: string) =>
    changing(unwrapData(api.POST('/api/inventory/apply_count/{id}', { params: { path: { id } } }))),
  discardCount: (id: string) =>
    changing(unwrapData(api.POST('/api/inventory/discard_count/{id}', { params: { path: { id } } }))),
}

/** The id of a request. It stays the same until the request has succeeded, so that repeating it changes nothing. */
export const newRequestId = () => crypto.randomUUID()
