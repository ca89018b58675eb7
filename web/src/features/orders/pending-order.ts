import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { userStorageKey } from '@/features/accounts/sign-in-out'
import type { PlaceOrderRequest } from '@/features/orders/api'

/**
 * An order of this shopper that was sent and is not finished: it has no definite response, or (`answered`) it awaits
 * its payment, and sending it again leads to the same wallet page. Only `method` and a fingerprint of the order are
 * stored, because browser storage must contain neither name, phone nor address.
 */
export type PendingOrder = {
  key: string
  fingerprint: string
  method: string
  at: number
  user: string
  answered?: true
}

const KEY = userStorageKey('pending-order')
/** A shopper who comes back later than this is no longer waiting for the response. */
const MAX_AGE_MS = 60 * 60 * 1000

/** Storage may be forbidden; then the key lives as long as this page, which still covers double clicks and retries. */
let inMemory: PendingOrder | null = null

const currentUserId = () => queryClient.getQueryData(sessions.user.queryKey)?._id ?? ''

/** After a session has ended elsewhere, another shopper may sign in on this device. */
const isAnotherUsers = ({ user }: PendingOrder) => currentUserId() !== '' && user !== currentUserId()

/** The pending order that has no response yet. */
export function unansweredOrder(now = Date.now()): PendingOrder | null {
  const found = readPendingOrder(now)
  return found?.answered ? null : found
}

function readPendingOrder(now = Date.now()): PendingOrder | null {
  let found = inMemory
  try {
    const text = localStorage.getItem(KEY)
    found = text ? (JSON.parse(text) as PendingOrder) : null
  } catch {
    // Storage may be forbidden (see above), and an unreadable entry cannot be sent again.
  }
  if (!found?.key || !found.fingerprint || isAnotherUsers(found)) return null
  return now - found.at < MAX_AGE_MS ? found : null
}

/**
 * Distinguishes orders without revealing their content. It is synchronous, so that a double click finds the first key.
 */
function fingerprintOf(body: PlaceOrderRequest, key: string): string {
  let [one, other] = [0x811c9dc5, 0x1b873593]
  for (const character of key + JSON.stringify(body)) {
    const code = character.codePointAt(0) ?? 0
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other + code, 0x5bd1e995) ^ (other >>> 15)
  }
  return `${one >>> 0}-${other >>> 0}`
}

const isSameOrder = ({ key, fingerprint }: PendingOrder, body: PlaceOrderRequest) =>
  fingerprint === fingerprintOf(body, key)

/** Another order that was sent before and may have been placed, so its key must not be lost. */
export function otherUnansweredOrder(body: PlaceOrderRequest): PendingOrder | null {
  const open = unansweredOrder()
  return open && !isSameOrder(open, body) ? open : null
}

/**
 * Returns the idempotency key for this order. The key is stored before anything is sent, so that a double click, a lost
 * response or a reload repeats the same order and never places a second one. Another cart, address or price is another
 * order.
 */
export function pendingOrderFor(body: PlaceOrderRequest): PendingOrder {
  const last = readPendingOrder()
  if (last && isSameOrder(last, body)) return last
  const key = crypto.randomUUID()
  const fingerprint = fingerprintOf(body, key)
  return store({ key, fingerprint, method: body.paymentMethod, at: Date.now(), user: currentUserId() })
}

function store(pending: PendingOrder): PendingOrder {
  inMemory = pending
  try {
    localStorage.setItem(KEY, JSON.stringify(pending))
  } catch {
    // Storage may be forbidden (see above).
  }
  return pending
}

/**
 * Marks the order as awaiting payment: a shopper who comes back from the wallet and repeats it means the same order.
 */
export const markAwaitingPayment = (pending: PendingOrder) => store({ ...pending, answered: true })

/** Removes an order whose payment has ended. An order without a response stays. */
export function clearAwaitingPayment() {
  if (readPendingOrder()?.answered) clearPendingOrder()
}

/** The server has accepted or refused the order, so the next order is a new one. */
export function clearPendingOrder() {
  inMemory = null
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Storage may be forbidden (see above).
  }
}
