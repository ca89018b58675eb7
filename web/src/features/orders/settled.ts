import { queryClient } from '@/api/query-client'
import { reloadCart } from '@/features/cart/sync'
import { MINE } from '@/features/orders/api'
import { forgetAnswered } from '@/features/orders/placing'

/** A payment has come to an end, whichever: the next order is a new one, and the orders are not what they were. */
export function paymentEnded() {
  forgetAnswered()
  void queryClient.invalidateQueries({ queryKey: MINE })
}

/**
 * It was paid. What it held has left the server's cart, and only that: ours is read from there, so that a result looked at
 * again tomorrow does not take tomorrow's goods.
 */
export function paymentArrived() {
  paymentEnded()
  void reloadCart()
  void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
}
