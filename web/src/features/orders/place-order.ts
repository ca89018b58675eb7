import { ApiError, errorCode } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { authDialog } from '@/features/accounts/auth-dialog'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { COUPON_KEY, couponCode } from '@/features/cart/coupon-store'
import { flushCart, reloadCart, removeOrderedItems } from '@/features/cart/sync'
import { DELIVERY_KEY } from '@/features/delivery/api'
import { MY_ORDERS_KEY, type PlaceOrderRequest, type Receipt } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'
import { ordersApi } from '@/features/orders/mutations'
import { EMPTY_NOTES, orderNotes } from '@/features/orders/order-notes-store'
import { type OrderProblem, orderProblem, orderToast } from '@/features/orders/order-problem'
import {
  clearPendingOrder,
  markAwaitingPayment,
  otherUnansweredOrder,
  type PendingOrder,
  pendingOrderFor,
  unansweredOrder,
} from '@/features/orders/pending-order'
import { redirectToWallet } from '@/features/orders/redirect-to-wallet'
import { toast } from '@/ui/toast'

/**
 * How long an order waits for the last change of the cart to be saved; the order contains its own items, so it need
 * not.
 */
const SETTLE_MS = 2_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The id of the placed order, or why it was not placed; neither if the shopper went to the wallet and came back. */
export type PlaceOrderResult = { orderId?: string; problem?: OrderProblem }

/** It is unknown whether the order was placed. */
const UNKNOWN: OrderProblem = { code: '', text: 'order.unreachable' }

const isOnline = ({ method }: PendingOrder) => method !== CASH

async function send(pending: PendingOrder, body: PlaceOrderRequest): Promise<PlaceOrderResult> {
  await Promise.race([flushCart().catch(() => {}), pause(SETTLE_MS)])
  const receipt = await ordersApi.place(body, pending.key)
  clearPendingOrder()
  orderNotes.set(EMPTY_NOTES)
  if (!isOnline(pending)) {
    removeOrderedItems(body.items)
    couponCode.set('')
    return confirmPlaced(receipt)
  }
  queryClient.removeQueries({ queryKey: MY_ORDERS_KEY })
  if (receipt.payment_url) {
    markAwaitingPayment(pending)
    // The cart stays until the payment is complete.
    await redirectToWallet(receipt.payment_url, body.paymentMethod)
    return {}
  }
  return { orderId: receipt.orderId }
}

function confirmPlaced({ orderId }: Receipt): PlaceOrderResult {
  toast.success('order.ok')
  queryClient.removeQueries({ queryKey: MY_ORDERS_KEY })
  // The stock has changed.
  void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
  return { orderId }
}

/** An order whose response was lost was placed after all. The server's cart no longer holds its items; ours still may. */
function confirmLostOrder(pending: PendingOrder, receipt: Receipt): PlaceOrderResult {
  clearPendingOrder()
  couponCode.set('')
  void reloadCart()
  if (!isOnline(pending)) return confirmPlaced(receipt)
  // An unpaid order is not a success yet; its card leads to the wallet.
  queryClient.removeQueries({ queryKey: MY_ORDERS_KEY })
  return { orderId: receipt.orderId }
}

/**
 * Before another order is sent, the server is asked about the previous one if its response was lost, so that a lost
 * response and a changed cart cannot turn one order into two. Nothing is sent until the server answers. An order that
 * awaits its payment is no obstacle: the server drops it when the same items are ordered again.
 */
async function resolveEarlierOrder(earlier: PendingOrder): Promise<PlaceOrderResult | null> {
  if (isOnline(earlier)) return null
  try {
    const receipt = await ordersApi.findPlaced(earlier.key)
    return receipt && confirmLostOrder(earlier, receipt)
  } catch (error) {
    if (handleSessionEnded(error)) {
      authDialog.show('login')
      return { problem: orderProblem(error) }
    }
    toast.error('order.error')
    return { problem: UNKNOWN }
  }
}

export async function placeOrder(body: PlaceOrderRequest): Promise<PlaceOrderResult> {
  const earlier = otherUnansweredOrder(body)
  return (earlier && (await resolveEarlierOrder(earlier))) ?? submitOrder(body)
}

async function submitOrder(body: PlaceOrderRequest, again = true): Promise<PlaceOrderResult> {
  const pending = pendingOrderFor(body)
  try {
    return await send(pending, body)
  } catch (error) {
    const code = errorCode(error)
    if (again && code === 'not_payable') {
      // The repeated order is already finished, so this one is new.
      clearPendingOrder()
      return submitOrder(body, false)
    }
    const text = orderToast(error, body.paymentMethod)
    if (text) toast.error(text)
    const problem = orderProblem(error)
    if (handleSessionEnded(error)) {
      // The key stays, so that the same order continues after the login.
      authDialog.show('login')
    } else if (error instanceof ApiError) {
      // A refusal ends this attempt; after anything else the order may have been placed, so its key is used again.
      clearPendingOrder()
      void queryClient.invalidateQueries({ queryKey: ['catalogue', 'by-ids'] })
      void queryClient.invalidateQueries({ queryKey: DELIVERY_KEY })
      void queryClient.invalidateQueries({ queryKey: COUPON_KEY })
    } else if (code === 'online_payment_unavailable') {
      // The order exists and only the payment link is missing; the next press requests it again.
      markAwaitingPayment(pending)
    }
    return { problem }
  }
}

/** Asks the server about an order whose response was lost. */
export async function resumeOrder(): Promise<PlaceOrderResult> {
  const open = unansweredOrder()
  const receipt = open && (await ordersApi.findPlaced(open.key).catch(() => null))
  // The request never arrived, or the server cannot say yet: the key stays for the shopper's next press.
  return receipt ? confirmLostOrder(open, receipt) : {}
}
