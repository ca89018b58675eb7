import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap, unwrapData } from '@/api/client'
import { type Order, type OrderQuery, PAGING } from '@/features/orders/api'

/** Dropped when the seller signs out. */
export const SELLER_ORDERS_KEY = ['seller', 'orders']

/** What the seller has chosen to see. An empty text is no choice. */
export type OrderFilter = { search: string; status: string; unpaid: boolean }

type AllQuery = OrderQuery & { status?: string; unpaid?: boolean }

const fetchOrders = async (query: AllQuery, signal?: AbortSignal) =>
  unwrap(await api.GET('/api/order/get_orders', { params: { query }, ...(signal ? { signal } : {}) }))

/** Asked for outside the list: quietly, to see whether anything has changed. */
export const fetchNewestOrders = () => fetchOrders({})

export const allOrders = ({ search, status, unpaid }: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: [...SELLER_ORDERS_KEY, search, status, unpaid ? 'unpaid' : ''],
    queryFn: ({ pageParam, signal }) =>
      fetchOrders({ search, status, cursor: pageParam, ...(unpaid ? { unpaid } : {}) }, signal),
    ...PAGING,
  })

/** Counting ends somewhere; beyond it there are simply many. */
export type StatusCount = Schemas['CappedCount']
export type OrderCounts = Schemas['OrderCounts']

/** Beside the lists, not under their key: whoever refreshes those expects pages. */
export const ORDER_COUNTS_KEY = ['seller', 'orderCounts']

/** The figures on the chips; without them the chips are merely chips, so nobody is told of a failure. */
export const orderCounts = (unpaid: boolean) =>
  queryOptions({
    queryKey: [...ORDER_COUNTS_KEY, unpaid ? 'unpaid' : ''],
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/api/order/get_order_counts', {
          params: { query: unpaid ? { unpaid } : {} },
          signal,
        }),
      ),
  })

export type BulkResult = Schemas['BulkResult']

/** The server takes a hundred; few enough that each answer comes soon, however busy the orders are. */
const BATCH_SIZE = 25

/** Each order is changed by itself; a later part that breaks does not hide what became of the earlier ones. */
export async function setStatuses(orders: Order[], status: string): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (let from = 0; from < orders.length; from += BATCH_SIZE) {
    const part = orders.slice(from, from + BATCH_SIZE)
    try {
      const orderIds = part.map(({ _id }) => _id)
      const answer = await unwrapData(
        api.PUT('/api/order/update_order_statuses', { body: { orderIds, status } }),
      )
      results.push(...answer.results)
    } catch (error) {
      if (results.length === 0) throw error
      results.push(...orders.slice(from).map(({ _id }) => ({ _id, ok: false, message: '', warning: '' })))
      break
    }
  }
  return results
}
