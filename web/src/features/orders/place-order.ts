import { codeOf, Refusal } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { authDialog } from '@/features/accounts/auth-dialog'
import { endedElsewhere } from '@/features/accounts/person'
import { cartSettled, reloadCart, takeOrdered } from '@/features/cart/sync'
import { MINE, type OrderBody, type Receipt } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'
import { ordersApi } from '@/features/orders/change-api'
import {
  awaitPayment,
  openPlacing,
  type Placing,
  placingAnswered,
  placingFor,
  unansweredBefore,
} from '@/features/orders/placing'
import { type OrderProblem, orderProblem, orderToast } from '@/features/orders/refusal'
import { goToWallet } from '@/features/orders/to-wallet'
import { toast } from '@/ui/toast'

/** How long an order waits for the cart's last change to be saved; it carries its own items, so it need not. */
const SETTLE_MS = 2_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** How it ended: the placed order's id, why it was not placed, or neither when one has been to the wallet and is back. */
export type Placed = { orderId?: string; problem?: OrderProblem }

/** Nobody knows whether it was placed. */
const UNKNOWN: OrderProblem = { code: '', text: 'order.broken' }

const isOnline = ({ method }: Placing) => method !== CASH

async function send(placing: Placing, body: OrderBody): Promise<Placed> {
  await Promise.race([cartSettled().catch(() => {}), pause(SETTLE_MS)])
  const receipt = await ordersApi.place(body, placing.key)
  placingAnswered()
  if (!isOnline(placing)) {
    takeOrdered(body.items)
    return placed(receipt)
  }
  queryClient.removeQueries({ queryKey: MINE })
  if (receipt.payment_url) {
    awaitPayment(placing)
    // The cart stays until the wallet has been paid.
    await goToWallet(receipt.payment_url, body.paymentMethod)
    return {}
  }
  return { orderId: receipt.orderId }
}

function placed({ orderId }: Receipt): Placed {
  toast.success('order.ok')
  queryClient.removeQueries({ queryKey: MINE })
  // What was bought is no longer on the shelf.
  void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
  return { orderId }
}

/** An order whose answer was lost was placed after all. The server's cart no longer holds its goods, ours still may. */
function placedAfterAll(placing: Placing, receipt: Receipt): Placed {
  placingAnswered()
  void reloadCart()
  if (!isOnline(placing)) return placed(receipt)
  // An order that is still to be paid is no success yet; its card leads on to the wallet.
  queryClient.removeQueries({ queryKey: MINE })
  return { orderId: receipt.orderId }
}

/**
 * Before another order is sent, the server is asked what became of the last one, if nobody knows: a lost answer and a changed
 * cart must not make two orders of one. While there is no answer to that, nothing is sent. One that waits for its payment
 * is in nobody's way: the server drops it when the same goods are ordered anew.
 */
async function settleEarlier(earlier: Placing): Promise<Placed | null> {
  if (isOnline(earlier)) return null
  try {
    const receipt = await ordersApi.placed(earlier.key)
    return receipt && placedAfterAll(earlier, receipt)
  } catch (error) {
    if (endedElsewhere(error)) {
      authDialog.show('login')
      return { problem: orderProblem(error) }
    }
    toast.error('order.error')
    return { problem: UNKNOWN }
  }
}

export async function placeOrder(body: OrderBody): Promise<Placed> {
  const earlier = unansweredBefore(body)
  return (earlier && (await settleEarlier(earlier))) ?? sendNow(body)
}

async function sendNow(body: OrderBody, again = true): Promise<Placed> {
  const placing = placingFor(body)
  try {
    return await send(placing, body)
  } catch (error) {
    const code = codeOf(error)
    if (again && code === 'not_payable') {
      // The order that this one would have been the same as is over; so it is another one after all.
      placingAnswered()
      return sendNow(body, false)
    }
    const said = orderToast(error, body.paymentMethod)
    if (said) toast.error(said)
    const problem = orderProblem(error)
    if (endedElsewhere(error)) {
      // The key stays: after the login the same order goes on.
      authDialog.show('login')
    } else if (error instanceof Refusal) {
      // A definite no ends this attempt; anything else may have been placed, so its key is used again.
      placingAnswered()
      void queryClient.invalidateQueries({ queryKey: ['catalogue', 'by-ids'] })
    } else if (code === 'online_payment_unavailable') {
      // The order is there and only its way to the wallet is missing: the next press looks for one again.
      awaitPayment(placing)
    }
    return { problem }
  }
}

/** Asks what became of an order whose answer was lost. */
export async function resumeOrder(): Promise<Placed> {
  const open = openPlacing()
  const receipt = open && (await ordersApi.placed(open.key).catch(() => null))
  // It never arrived, or nobody knows yet: the key stays for the shopper's next press.
  return receipt ? placedAfterAll(open, receipt) : {}
}
