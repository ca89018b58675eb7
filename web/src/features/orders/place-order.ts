import { Refusal } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { authDialog } from '@/features/accounts/auth-dialog'
import { endedElsewhere } from '@/features/accounts/person'
import { cartSettled, reloadCart, takeOrdered } from '@/features/cart/sync'
import { MINE, type OrderBody, type Receipt } from '@/features/orders/api'
import { ordersApi } from '@/features/orders/change-api'
import {
  openPlacing,
  type Placing,
  placingAnswered,
  placingFor,
  unansweredBefore,
} from '@/features/orders/placing'
import { type OrderProblem, orderProblem, orderToast } from '@/features/orders/refusal'
import { type RawText, t } from '@/lib/i18n'
import { toast } from '@/ui/toast'

/** How long an order waits for the cart's last change to be saved; it carries its own items, so it need not. */
const SETTLE_MS = 2_000

/** How long one can read where one is being taken. */
const READ_MS = 700

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** How it ended: the placed order's id, why it was not placed, or neither when the browser is on its way to a wallet. */
export type Placed = { orderId?: string; problem?: OrderProblem }

/** Nobody knows whether it was placed. */
const UNKNOWN: OrderProblem = { code: '', text: 'order.broken' }

async function send({ key, body }: Placing): Promise<Placed> {
  await Promise.race([cartSettled().catch(() => {}), pause(SETTLE_MS)])
  const receipt = await ordersApi.place(body, key)
  placingAnswered()
  if (receipt.payment_url) {
    toast.success(t('order.redirect', { provider: body.paymentMethod }) as RawText)
    // A quick line would be gone before anybody could read it. The cart stays until the wallet has been paid.
    await pause(READ_MS)
    window.location.assign(receipt.payment_url)
    // The page is on its way out; nothing here may be pressed again.
    await pause(SETTLE_MS)
    return {}
  }
  takeOrdered(body.items)
  return placed(receipt.orderId)
}

function placed(orderId: string): Placed {
  toast.success('order.ok')
  queryClient.removeQueries({ queryKey: MINE })
  // What was bought is no longer on the shelf.
  void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
  return { orderId }
}

/** An order whose answer was lost was placed after all. The server's cart no longer holds its goods, ours still may. */
function placedAfterAll({ orderId }: Receipt): Placed {
  placingAnswered()
  void reloadCart()
  return placed(orderId)
}

/**
 * Before another order is sent, the server is asked what became of the last one, if nobody knows: a lost answer and a changed
 * cart must not make two orders of one. While there is no answer to that, nothing is sent.
 */
async function settleEarlier({ key }: Placing): Promise<Placed | null> {
  try {
    const receipt = await ordersApi.placed(key)
    return receipt && placedAfterAll(receipt)
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

async function sendNow(body: OrderBody): Promise<Placed> {
  try {
    return await send(placingFor(body))
  } catch (error) {
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
    }
    return { problem }
  }
}

/** Asks what became of an order whose answer was lost. */
export async function resumeOrder(): Promise<Placed> {
  const open = openPlacing()
  const receipt = open && (await ordersApi.placed(open.key).catch(() => null))
  // It never arrived, or nobody knows yet: the key stays for the shopper's next press.
  return receipt ? placedAfterAll(receipt) : {}
}
