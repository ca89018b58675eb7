import { api, dataOf, unwrap } from '@/api/client'
import { CASH, type OrderBody, type Receipt } from '@/features/orders/api'

type Placed = Parameters<typeof dataOf<Receipt>>[0]

/** What the seller has changed; what is left out stays as it is. */
export type StatusChange = { status?: string; deliveryDate?: string }

/** The calls that change something; a list can be drawn without them. */
export const ordersApi = {
  place: (body: OrderBody, key: string) => {
    const sent = { params: { header: { 'Idempotency-Key': key } }, body }
    // The wallet's half of the contract has no yes in it yet; when it has one, it will be a receipt with an address to go to.
    return dataOf<Receipt>(
      (body.paymentMethod === CASH
        ? api.POST('/api/order/place_order_COD', sent)
        : api.POST('/api/order/place_order_online', sent as { body: OrderBody })) as Placed,
    )
  },
  /** What a placing was answered; null when it never arrived. */
  placed: async (key: string) =>
    (await dataOf(api.GET('/api/order/get_placing', { params: { header: { 'Idempotency-Key': key } } })))
      .receipt,
  cancel: (orderId: string) => dataOf(api.POST('/api/order/cancel_order', { body: { orderId } })),
  setStatus: async (orderId: string, change: StatusChange) =>
    unwrap(await api.PUT('/api/order/update_order_status', { body: { orderId, ...change } })),
}
