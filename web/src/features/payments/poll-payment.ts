import { ApiError, errorCode } from '@/api/client'
import { type PaymentInfo, verifyPayment } from '@/features/payments/api'
import type { WalletReturn } from '@/features/payments/wallet-return'

export type PaymentOutcome =
  | { is: 'verifying' }
  /** `paid` is null for a visitor who is not signed in, because the order is shown to its owner only. */
  | { is: 'success'; paid: PaymentInfo | null }
  /** Without a refusal the result is not known yet, and the money is safe either way. */
  | { is: 'error'; refusal: ApiError | null }
  | { is: 'cancelled' }

/** Slightly shorter than the countdown of the page, so that a payment that arrives by then is still shown. */
export const POLL_MS = 4_000
/** After this time the server counts as unreachable; a response that arrives later is still used. */
export const ANSWER_TIMEOUT_MS = 20_000

/** Refusals that mean that money has moved. */
const MONEY_MOVED = ['payment_conflict', 'payment_returned']

/** A final refusal; 429 only asks to come back later. */
const isFinal = (error: unknown): error is ApiError => error instanceof ApiError && error.status !== 429

/**
 * Follows a payment and reports each change of its outcome. While the result is unknown it keeps polling until the
 * returned function is called; a response to a pending request is reported even then, because the cart depends on it.
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
    // Reported once, because the page's countdown must not restart each time.
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
    // The server is told about the cancellation, and knows whether money was paid after all.
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

/** Where the page redirects and after how long; null while there is something to read or to wait for. */
export function redirectFor(outcome: PaymentOutcome): Redirect | null {
  if (outcome.is === 'cancelled') return { to: 'home', seconds: 3 }
  if (outcome.is === 'success') return { to: outcome.paid ? 'orders' : 'home', seconds: 3 }
  if (outcome.is === 'error' && !outcome.refusal) return { to: 'home', seconds: 5 }
  return null
}
