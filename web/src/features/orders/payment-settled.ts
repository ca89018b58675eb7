import { queryClient } from '@/api/query-client'
import { couponCode } from '@/features/cart/coupon-store'
import { reloadCart } from '@/features/cart/sync'
import { MY_ORDERS_KEY } from '@/features/orders/api'
import { clearAwaitingPayment } from '@/features/orders/pending-order'

/** After the end of a payment, whatever its result, the next order is a new one and the list of orders has changed. */
export function onPaymentEnded() {
  clearAwaitingPayment()
  void queryClient.invalidateQueries({ queryKey: MY_ORDERS_KEY })
}

/**
 * After a successful payment the server has removed the paid items from its cart. The cart is loaded from there, so
 * that opening the same result again later does not remove items that were added since.
 */
export function onPaymentReceived() {
  onPaymentEnded()
  couponCode.set('')
  void reloadCart()
  void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
}
