import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '@/api/client'
import type { PaymentInfo } from '@/features/payments/api'
import {
  ANSWER_TIMEOUT_MS,
  type PaymentOutcome,
  POLL_MS,
  pollPayment,
  redirectFor,
} from '@/features/payments/poll-payment'
import { parseWalletReturn } from '@/features/payments/wallet-return'

const PAID: PaymentInfo = {
  orderId: 'TH7K2M',
  trackingNumber: 'TRK-9Q4X',
  paymentMethod: 'Khalti',
  amount: 1130,
  amountPaisa: 113_000,
}
const pending = Object.assign(new Error('The server failed (503).'), { code: 'payment_pending' })
const refusal = (code: string, status = 409) => new ApiError(code, status, 'x')
const never = () => new Promise<never>(() => {})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Each request gets the next of `answers`; the last one is repeated. */
function follow(query: string, ...answers: (() => Promise<PaymentInfo | null>)[]) {
  const told: PaymentOutcome[] = []
  const ask = vi.fn(() => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? never())
  const stop = pollPayment(parseWalletReturn(query), (outcome) => told.push(outcome), ask)
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { told, ask, stop, later, states: () => told.map(({ is }) => is) }
}

const RETURN = '?pidx=P&txnId=T'

test('a payment that arrived is asked about once, and told', async () => {
  const { told, ask, later } = follow(RETURN, async () => PAID)
  await later(60_000)
  expect(told).toEqual([{ is: 'success', paid: PAID }])
  expect(ask).toHaveBeenCalledTimes(1)
})

test('a no of the server is the end', async () => {
  const no = refusal('payment_not_completed')
  const { told, ask, later } = follow(RETURN, () => Promise.reject(no))
  await later(60_000)
  expect(told).toEqual([{ is: 'error', refusal: no }])
  expect(ask).toHaveBeenCalledTimes(1)
})

test.each([
  ['the wallet is undecided', pending],
  ['the server is broken', new Error('The server failed (500).')],
  ['there is no network', new TypeError('Failed to fetch')],
  ['we have asked too often', refusal('too_many_requests', 429)],
])('as long as nobody knows (%s) it is told once and asked again, until it is known', async (_why, error) => {
  const { told, ask, later } = follow(
    RETURN,
    () => Promise.reject(error),
    () => Promise.reject(error),
    async () => PAID,
  )
  await later(0)
  expect(told).toEqual([{ is: 'error', refusal: null }])
  await later(POLL_MS)
  expect(ask).toHaveBeenCalledTimes(2)
  expect(told).toHaveLength(1)
  await later(POLL_MS)
  expect(told.at(-1)).toEqual({ is: 'success', paid: PAID })
  await later(60_000)
  expect(ask).toHaveBeenCalledTimes(3)
})

test('whoever has left is not asked for any more', async () => {
  const { ask, stop, later } = follow(RETURN, () => Promise.reject(pending))
  await later(0)
  stop()
  await later(60_000)
  expect(ask).toHaveBeenCalledTimes(1)
})

test('an answer that was on its way is told even to those who have left', async () => {
  let answer = (_paid: PaymentInfo) => {}
  const { stop, states, later } = follow(
    RETURN,
    () => new Promise<PaymentInfo>((resolve) => (answer = resolve)),
  )
  stop()
  answer(PAID)
  await later(0)
  expect(states()).toEqual(['success'])
})

test('no answer at all counts as not reached; one that comes late still counts', async () => {
  let answer = (_paid: PaymentInfo) => {}
  const { states, later } = follow(
    RETURN,
    () => new Promise<PaymentInfo>((resolve) => (answer = resolve)),
    never,
  )
  await later(ANSWER_TIMEOUT_MS - 1)
  expect(states()).toEqual([])
  await later(1)
  expect(states()).toEqual(['error'])
  answer(PAID)
  await later(0)
  expect(states()).toEqual(['error', 'success'])
})

describe('cancelled at the wallet', () => {
  test.each(['', '?txnId=T', '?purchase_order_id=O'])('%j has nothing to ask about', async (query) => {
    const { states, ask, later } = follow(query)
    await later(60_000)
    expect(states()).toEqual(['cancelled'])
    expect(ask).not.toHaveBeenCalled()
  })

  test.each([
    ['it says so too', refusal('payment_not_completed')],
    ['nobody knows yet', pending],
    ['it knows of no such payment', refusal('payment_not_found', 404)],
  ])('with a pidx the server is told, once; it stays cancelled when %s', async (_what, error) => {
    const { states, ask, later } = follow('?pidx=P&status=User+canceled', () => Promise.reject(error))
    expect(states()).toEqual(['cancelled'])
    await later(60_000)
    expect(states()).toEqual(['cancelled'])
    expect(ask).toHaveBeenCalledTimes(1)
  })

  test('paid after all is paid', async () => {
    const { states, later } = follow('?pidx=P', async () => PAID)
    await later(0)
    expect(states()).toEqual(['cancelled', 'success'])
  })

  test.each(['payment_conflict', 'payment_returned'])('money that moved (%s) is not hidden', async (code) => {
    const { states, later } = follow('?pidx=P', () => Promise.reject(refusal(code)))
    await later(0)
    expect(states()).toEqual(['cancelled', 'error'])
  })
})

test('where the page leads by itself, and when', () => {
  expect(redirectFor({ is: 'verifying' })).toBeNull()
  expect(redirectFor({ is: 'cancelled' })).toEqual({ to: 'home', seconds: 3 })
  expect(redirectFor({ is: 'success', paid: PAID })).toEqual({ to: 'orders', seconds: 3 })
  expect(redirectFor({ is: 'success', paid: null })).toEqual({ to: 'home', seconds: 3 })
  expect(redirectFor({ is: 'error', refusal: null })).toEqual({ to: 'home', seconds: 5 })
  expect(redirectFor({ is: 'error', refusal: refusal('payment_conflict') })).toBeNull()
})
