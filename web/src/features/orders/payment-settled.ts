import { queryClient } from '@/api/query-client'
import { reloadCart } from '@/features/cart/sync'
import { MY_ORDERS_KEY } from '@/features/orders/api'
import { clearAwaitingPayment } from '@/features/orders/pending-order'

/** A payment has come to an end, whichever: the next order is a new one, and the orders are not what they were. */
export function onPaymentEnded() {
  clearAwaitingPayment()
  void queryClient.invalidateQueries({ queryKey: MY_ORDERS_KEY })
}

/**
 * It was paid. What it held has left the server's cart, and only that: ours is read from there, so that a result looked at
 * again tomorrow does not take tomorrow's goods.
 */
export function onPaymentReceived() {
  onPaymentEnded()
  void reloadCart()
  void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
}
