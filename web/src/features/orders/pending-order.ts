import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { userStorageKey } from '@/features/accounts/sign-in-out'
import type { PlaceOrderRequest } from '@/features/orders/api'

/**
 * An order that was sent and is not over yet, and whose it is: it has no definite answer, or (`answered`) it has one and
 * waits for its payment, where sending it again leads to the same wallet page. Of the order itself only `method` and a
 * fingerprint are stored, because browser storage must hold neither name, phone nor address.
 */
export type PendingOrder = {
  key: string
  fingerprint: string
  method: string
  at: number
  user: string
  answered?: true
}

const KEY = userStorageKey('placing')
/** Whoever comes back later than this is not waiting for the answer any more. */
const MAX_AGE_MS = 60 * 60 * 1000

/** Storage may be forbidden; then the key lives as long as this page, which still covers double clicks and retries. */
let inMemory: PendingOrder | null = null

const currentUserId = () => queryClient.getQueryData(sessions.user.queryKey)?._id ?? ''

/** After a session that ended elsewhere, the next one to sign in here may be somebody else. */
const isAnotherUsers = ({ user }: PendingOrder) => currentUserId() !== '' && user !== currentUserId()

/** The one that has no answer yet. */
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
    // See above; and what cannot be read cannot be sent again.
  }
  if (!found?.key || !found.fingerprint || isAnotherUsers(found)) return null
  return now - found.at < MAX_AGE_MS ? found : null
}

/** Tells two orders apart and does not reveal what is in them. Synchronous, so that a double click finds the first key. */
function fingerprintOf(body: PlaceOrderRequest, key: string): string {
  let [one, other] = [0x811c9dc5, 0x1b873593]
  for (const letter of key + JSON.stringify(body)) {
    const code = letter.codePointAt(0) ?? 0
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other + code, 0x5bd1e995) ^ (other >>> 15)
  }
  return `${one >>> 0}-${other >>> 0}`
}

const isSameOrder = ({ key, fingerprint }: PendingOrder, body: PlaceOrderRequest) =>
  fingerprint === fingerprintOf(body, key)

/** An order other than this one that was sent before and may have been placed: its key must not be lost. */
export function otherUnansweredOrder(body: PlaceOrderRequest): PendingOrder | null {
  const open = unansweredOrder()
  return open && !isSameOrder(open, body) ? open : null
}

/**
 * The key under which this very order is sent. It is written down before anything is sent, so that a double click, a lost
 * answer or a reload sends the same order again, never a second one. Another cart, address or price is another order.
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
    // See above.
  }
  return pending
}

/** It waits for its payment; somebody who comes back from the wallet and orders the same again means the same order. */
export const markAwaitingPayment = (pending: PendingOrder) => store({ ...pending, answered: true })

/** Its payment has come to an end. What has no answer yet stays. */
export function clearAwaitingPayment() {
  if (readPendingOrder()?.answered) clearPendingOrder()
}

/** The server has said yes or no: the next order is a new one. */
export function clearPendingOrder() {
  inMemory = null
  try {
    localStorage.removeItem(KEY)
  } catch {
    // See above.
  }
}
