import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

export type DeliverySheet = Schemas['DeliverySheet']
export type DeliveryStop = DeliverySheet['stops'][number]
export type DeliveryOrder = DeliveryStop['orders'][number]

/** An empty date means today in Nepal. */
export type DeliverySheetFilter = { date: string; statuses: string[]; late: boolean }

export const deliverySheet = ({ date, statuses, late }: DeliverySheetFilter) =>
  queryOptions({
    queryKey: ['seller', 'delivery', date, statuses.join(','), late],
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/api/order/get_delivery_sheet', {
          params: { query: { ...(date ? { date } : {}), status: statuses.join(','), late } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // Orders change while the sheet is open, so it is refetched whenever the seller returns to it.
    staleTime: 0,
    meta: { failed: 'orders.failed', error: 'orders.error' },
  })
