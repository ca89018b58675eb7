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

export const setDeliveryStatus = (orderId: string, status: string) =>
  unwrapData(api.PUT('/api/order/update_my_delivery', { body: { orderId, status } }))
