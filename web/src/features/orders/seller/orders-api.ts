import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap, unwrapData } from '@/api/client'
import { type Order, type OrderQuery, PAGING } from '@/features/orders/api'
import { askForCode } from '@/features/staff/session-guard'

/** Dropped when the seller signs out. */
export const SELLER_ORDERS_KEY = ['seller', 'orders']

/** The orders that wait for the shop: those to confirm and those to pack. */
export const TO_DO = 'todo'
export const TO_DO_STATUSES = ['Order Placed', 'Order Confirmed']

/** The seller's filter. An empty text means no filter; the status may be `TO_DO`. */
export type OrderFilter = { search: string; status: string; unpaid: boolean }

type AllQuery = OrderQuery & { status?: string; unpaid?: boolean }

const fetchOrders = async (query: AllQuery, signal?: AbortSignal) =>
  unwrap(await api.GET('/api/order/get_orders', { params: { query }, ...(signal ? { signal } : {}) }))

/**
 * The server lists one status at a time, so a page has the next orders of each, newest first; its cursor holds theirs.
 */
async function fetchToDo({ cursor, ...query }: AllQuery, signal: AbortSignal) {
  const cursors = cursor ? (JSON.parse(cursor) as (string | null)[]) : TO_DO_STATUSES.map(() => '')
  const pages = await Promise.all(
    TO_DO_STATUSES.map((status, n) => {
      const from = cursors[n]
      return from === null || from === undefined
        ? null
        : fetchOrders({ ...query, status, cursor: from }, signal)
    }),
  )
  const next = pages.map((page) => page?.nextCursor || null)
  return {
    success: true,
    message: '',
    data: pages.flatMap((page) => page?.data ?? []).sort((a, b) => b.date.localeCompare(a.date)),
    nextCursor: next.some(Boolean) ? JSON.stringify(next) : null,
  }
}

/** Fetched outside the list, without messages, to detect changes. */
export const fetchNewestOrders = () => fetchOrders({})

export const allOrders = ({ search, status, unpaid }: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: [...SELLER_ORDERS_KEY, search, status, unpaid ? 'unpaid' : ''],
    queryFn: ({ pageParam, signal }) => {
      const query = { search, cursor: pageParam, ...(unpaid ? { unpaid } : {}) }
      return status === TO_DO ? fetchToDo(query, signal) : fetchOrders({ ...query, status }, signal)
    },
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
