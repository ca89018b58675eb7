import { api, unwrap, unwrapData } from '@/api/client'
import type { PlaceOrderRequest, Receipt } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'

/** The seller's change; missing fields stay as they are. */
export type StatusChange = { status?: string; deliveryDate?: string }

/** The calls that change an order; a list does not need them. */
export const ordersApi = {
  place: (body: PlaceOrderRequest, key: string): Promise<Receipt> => {
    const sent = { params: { header: { 'Idempotency-Key': key } }, body }
    return body.paymentMethod === CASH
      ? unwrapData(api.POST('/api/order/place_order_COD', sent))
      : unwrapData(api.POST('/api/order/place_order_online', sent))
  },
  /** Returns the receipt of an order whose response was lost; null if the request never arrived. */
  findPlaced: async (key: string) =>
    (
      await unwrapData(
        api.GET('/api/order/get_order_placement', { params: { header: { 'Idempotency-Key': key } } }),
      )
    ).receipt,
  /** Returns the wallet's page for an order that is not paid yet. */
  pay: (orderId: string) => unwrapData(api.POST('/api/order/pay_order', { body: { orderId } })),
  cancel: (orderId: string) => unwrapData(api.POST('/api/order/cancel_order', { body: { orderId } })),
  setStatus: async (orderId: string, change: StatusChange) =>
    unwrap(await api.PUT('/api/order/update_order_status', { body: { orderId, ...change } })),
}
