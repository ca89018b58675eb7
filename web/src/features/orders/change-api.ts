import { api, dataOf, unwrap } from '@/api/client'
import type { OrderBody, Receipt } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'

/** What the seller has changed; what is left out stays as it is. */
export type StatusChange = { status?: string; deliveryDate?: string }

/** The calls that change something; a list can be drawn without them. */
export const ordersApi = {
  place: (body: OrderBody, key: string): Promise<Receipt> => {
    const sent = { params: { header: { 'Idempotency-Key': key } }, body }
    return body.paymentMethod === CASH
      ? dataOf(api.POST('/api/order/place_order_COD', sent))
      : dataOf(api.POST('/api/order/place_order_online', sent))
  },
  /** What a placing was answered; null when it never arrived. */
  placed: async (key: string) =>
    (
      await dataOf(
        api.GET('/api/order/get_order_placement', { params: { header: { 'Idempotency-Key': key } } }),
      )
    ).receipt,
  /** The wallet's page for an order that still waits for its payment. */
  pay: (orderId: string) => dataOf(api.POST('/api/order/pay_order', { body: { orderId } })),
  cancel: (orderId: string) => dataOf(api.POST('/api/order/cancel_order', { body: { orderId } })),
  setStatus: async (orderId: string, change: StatusChange) =>
    unwrap(await api.PUT('/api/order/update_order_status', { body: { orderId, ...change } })),
}
