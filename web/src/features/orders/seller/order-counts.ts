import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

/** The server counts up to a limit; above it the exact number is unknown. */
export type StatusCount = Schemas['CappedCount']
export type OrderCounts = Schemas['OrderCounts']

/** Not under the key of the lists, because code that refreshes those expects pages. */
export const ORDER_COUNTS_KEY = ['seller', 'orderCounts']

/** The counts on the chips; a failure shows no message, because the chips work without them. */
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
