import { ApiError, errorCode } from '@/api/client'
import { type PaymentInfo, verifyPayment } from '@/features/payments/api'
import type { WalletReturn } from '@/features/payments/wallet-return'

export type PaymentOutcome =
  | { is: 'verifying' }
  /** Without an order when nobody is signed in: whose it is, is not told to a stranger. */
  | { is: 'success'; paid: PaymentInfo | null }
  /** Without a refusal nobody knows yet, and the money is safe either way. */
  | { is: 'error'; refusal: ApiError | null }
  | { is: 'cancelled' }

/** A little less than the page waits before it leaves: whoever is paid by then still sees it. */
export const POLL_MS = 4_000
/** Nothing heard for so long counts as not reached; an answer that comes later still counts. */
export const ANSWER_TIMEOUT_MS = 20_000

/** Refusals that mean that money has moved. */
const MONEY_MOVED = ['payment_conflict', 'payment_returned']

/** A no for good; being asked to come back later is none. */
const isFinal = (error: unknown): error is ApiError => error instanceof ApiError && error.status !== 429

/**
 * Follows a payment to its end and tells each turn. As long as nobody knows, it asks again and again, until the returned
 * function is called; an answer that is already on its way is told even then, because the cart depends on it.
 */
export function pollPayment(
  returned: WalletReturn,
  tell: (outcome: PaymentOutcome) => void,
  ask = verifyPayment,
): () => void {
  let stopped = false
  let ended = false
  let unclear = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = (outcome: PaymentOutcome) => {
    if (ended) return
    ended = true
    clearTimeout(timer)
    tell(outcome)
  }

  const notKnown = () => {
    if (stopped || ended) return
    clearTimeout(timer)
    timer = setTimeout(() => void verify(), POLL_MS)
    // Told once: a page that counts down must not begin anew each time.
    if (!unclear) tell({ is: 'error', refusal: null })
    unclear = true
  }

  const verify = async () => {
    clearTimeout(timer)
    timer = setTimeout(notKnown, ANSWER_TIMEOUT_MS)
    try {
      end({ is: 'success', paid: await ask(returned) })
    } catch (error) {
      if (isFinal(error)) end({ is: 'error', refusal: error })
      else notKnown()
    }
  }

  if (returned.pidx && returned.txnId) void verify()
  else {
    tell({ is: 'cancelled' })
    // The server learns of it at once, and knows better when money did move.
    if (returned.pidx)
      ask(returned).then(
        (paid) => end({ is: 'success', paid }),
        (error) => {
          if (isFinal(error) && MONEY_MOVED.includes(errorCode(error) ?? ''))
            end({ is: 'error', refusal: error })
        },
      )
  }
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

export type Redirect = { to: 'home' | 'orders'; seconds: number }

/** Where the page leads by itself, and after how long; nowhere while there is something to read or to wait for. */
export function redirectFor(outcome: PaymentOutcome): Redirect | null {
  if (outcome.is === 'cancelled') return { to: 'home', seconds: 3 }
  if (outcome.is === 'success') return { to: outcome.paid ? 'orders' : 'home', seconds: 3 }
  if (outcome.is === 'error' && !outcome.refusal) return { to: 'home', seconds: 5 }
  return null
}
