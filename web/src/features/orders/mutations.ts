import { api, unwrap, unwrapData } from '@/api/client'
import type { PlaceOrderRequest, Receipt } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'

/** What the seller has changed; what is left out stays as it is. */
export type StatusChange = { status?: string; deliveryDate?: string }

/** The calls that change an order; a list can be drawn without them. */
export const ordersApi = {
  place: (body: PlaceOrderRequest, key: string): Promise<Receipt> => {
    const sent = { params: { header: { 'Idempotency-Key': key } }, body }
    return body.paymentMethod === CASH
      ? unwrapData(api.POST('/api/order/place_order_COD', sent))
      : unwrapData(api.POST('/api/order/place_order_online', sent))
  },
  /** The receipt of an order whose response was lost; null when the request never arrived. */
  findPlaced: async (key: string) =>
    (
      await unwrapData(
        api.GET('/api/order/get_order_placement', { params: { header: { 'Idempotency-Key': key } } }),
      )
    ).receipt,
  /** The wallet's page for an order that still waits for its payment. */
  pay: (orderId: string) => unwrapData(api.POST('/api/order/pay_order', { body: { orderId } })),
  cancel: (orderId: string) => unwrapData(api.POST('/api/order/cancel_order', { body: { orderId } })),
  setStatus: async (orderId: string, change: StatusChange) =>
    unwrap(await api.PUT('/api/order/update_order_status', { body: { orderId, ...change } })),
}
