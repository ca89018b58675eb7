import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { type OrderQuery, PAGING } from '@/features/orders/api'

/** Dropped when the seller signs out. */
export const ALL = ['seller', 'orders']

const all = async (query: OrderQuery & { unpaid?: boolean }, signal?: AbortSignal) =>
  unwrap(await api.GET('/api/order/get_orders', { params: { query }, ...(signal ? { signal } : {}) }))

/** Asked for outside the list: quietly, to see whether anything has changed. */
export const allNewest = () => all({})

export const allOrders = (search: string, unpaid: boolean) =>
  infiniteQueryOptions({
    queryKey: [...ALL, search, unpaid ? 'unpaid' : ''],
    queryFn: ({ pageParam, signal }) =>
      all({ search, cursor: pageParam, ...(unpaid ? { unpaid } : {}) }, signal),
    ...PAGING,
  })
