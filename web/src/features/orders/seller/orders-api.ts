import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap, unwrapData } from '@/api/client'
import { type Order, type OrderQuery, PAGING } from '@/features/orders/api'
import { askForCode } from '@/features/staff/session-guard'

/** Dropped when the seller signs out. */
export const SELLER_ORDERS_KEY = ['seller', 'orders']

/** The seller's filter. An empty text means no filter. */
export type OrderFilter = { search: string; status: string; unpaid: boolean }

type AllQuery = OrderQuery & { status?: string; unpaid?: boolean }

const fetchOrders = async (query: AllQuery, signal?: AbortSignal) =>
  unwrap(await api.GET('/api/order/get_orders', { params: { query }, ...(signal ? { signal } : {}) }))

/** Fetched outside the list, without messages, to detect changes. */
export const fetchNewestOrders = () => fetchOrders({})

export const allOrders = ({ search, status, unpaid }: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: [...SELLER_ORDERS_KEY, search, status, unpaid ? 'unpaid' : ''],
    queryFn: ({ pageParam, signal }) =>
      fetchOrders({ search, status, cursor: pageParam, ...(unpaid ? { unpaid } : {}) }, signal),
    ...PAGING,
  })

export type BulkResult = Schemas['BulkResult']

/** The server accepts a hundred; smaller batches return sooner. */
const BATCH_SIZE = 25

/** Orders whose change needs a fresh second factor are changed after the seller has entered a code. */
async function setStatusOf(orders: { _id: string }[], status: string): Promise<BulkResult[]> {
  const orderIds = orders.map(({ _id }) => _id)
  const { results } = await unwrapData(
    api.PUT('/api/order/update_order_statuses', { body: { orderIds, status } }),
  )
  const refused = results.filter(({ code }) => code === 'second_factor_needed')
  if (refused.length === 0 || !(await askForCode())) return results
  const repeated = new Map((await setStatusOf(refused, status)).map((each) => [each._id, each]))
  return results.map((each) => repeated.get(each._id) ?? each)
}

/** Changes each order by itself; a failure of a later batch does not hide the results of the earlier ones. */
export async function setStatuses(orders: Order[], status: string): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (let from = 0; from < orders.length; from += BATCH_SIZE) {
    const part = orders.slice(from, from + BATCH_SIZE)
    try {
      results.push(...(await setStatusOf(part, status)))
    } catch (error) {
      if (results.length === 0) throw error
      results.push(
        ...orders.slice(from).map(({ _id }) => ({ _id, ok: false, code: '', message: '', warning: '' })),
      )
      break
    }
  }
  return results
}

export const riders = queryOptions({
  queryKey: ['seller', 'riders'],
  queryFn: () => unwrapData(api.GET('/api/seller/riders')),
})

/** Without a rider, the order is nobody's. */
export const assignRider = (orderIds: string[], riderId: string) =>
  unwrapData(
    api.PUT('/api/order/assign_rider', { body: { orderIds, ...(riderId === '' ? {} : { riderId }) } }),
  )
