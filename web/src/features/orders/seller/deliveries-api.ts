import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

export type RiderDelivery = Schemas['RiderDelivery']

/** The orders that the signed-in rider delivers. */
export const myDeliveries = queryOptions({
  queryKey: ['seller', 'deliveries'],
  queryFn: () => unwrapData(api.GET('/api/order/get_my_deliveries')),
  refetchInterval: 60_000,
  meta: { failed: 'seller.deliveries.failed', error: 'seller.deliveries.failed' },
})
