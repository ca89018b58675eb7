import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { clearAfterSignOut } from '@/features/accounts/sign-in-out'
import type { PlaceOrderRequest } from '@/features/orders/api'
import {
  clearAwaitingPayment,
  clearPendingOrder,
  markAwaitingPayment,
  otherUnansweredOrder,
  pendingOrderFor,
  unansweredOrder,
} from '@/features/orders/pending-order'
import { aUser } from '@/test/fixtures'

const body = (changes: Partial<PlaceOrderRequest> = {}): PlaceOrderRequest => ({
  items: [{ id: 'rice', quantity: 2 }],
  address: 'Baneshwor-10',
  totalAmount: 585,
  shippingFee: 20,
  tax: 65,
  paymentMethod: 'COD',
  name: 'Sita',
  email: 'sita@example.com',
  phone: '9841234567',
  ...changes,
})

beforeEach(clearPendingOrder)

test('the same order keeps its key until it is answered', () => {
  const { key } = pendingOrderFor(body())
  expect(key).toMatch(/^[0-9a-f-]{36}$/)
  expect(pendingOrderFor(body()).key).toBe(key)
  clearPendingOrder()
  expect(pendingOrderFor(body()).key).not.toBe(key)
})

test('another cart, address or price is another order', () => {
  const { key } = pendingOrderFor(body())
  const other = pendingOrderFor(body({ items: [{ id: 'rice', quantity: 3 }] })).key
  expect(other).not.toBe(key)
  expect(pendingOrderFor(body({ address: 'Patan' })).key).not.toBe(other)
})

test('its key is written down before it is sent, and nothing about the person is', () => {
  const { key } = pendingOrderFor(body())
  const stored = localStorage.getItem('thunse.person.pending-order') ?? ''
  expect(JSON.parse(stored)).toMatchObject({ key })
  for (const personal of ['Sita', 'sita@example.com', '9841234567', 'Baneshwor'])
    expect(stored).not.toContain(personal)
})

test('after an hour nobody waits for it any more', () => {
  const { at } = pendingOrderFor(body())
  expect(unansweredOrder(at + 59 * 60_000)).not.toBeNull()
  expect(unansweredOrder(at + 61 * 60_000)).toBeNull()
})

test('stored nonsense is no order', () => {
  localStorage.setItem('thunse.person.pending-order', '{"key":1')
  expect(unansweredOrder()).toBeNull()
  localStorage.setItem('thunse.person.pending-order', '{}')
  expect(unansweredOrder()).toBeNull()
})

test('another order than the unanswered one is told apart from the same one', () => {
  const { key } = pendingOrderFor(body())
  expect(otherUnansweredOrder(body())).toBeNull()
  expect(otherUnansweredOrder(body({ address: 'Patan' }))?.key).toBe(key)
  clearPendingOrder()
  expect(otherUnansweredOrder(body({ address: 'Patan' }))).toBeNull()
})

test('somebody else who signs in here has nothing to do with it', () => {
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  const { key } = pendingOrderFor(body())
  queryClient.setQueryData(sessions.user.queryKey, null)
  expect(unansweredOrder()?.key).toBe(key)
  queryClient.setQueryData(sessions.user.queryKey, aUser({ _id: 'u-hari' }))
  expect(unansweredOrder()).toBeNull()
  expect(pendingOrderFor(body()).key).not.toBe(key)
})

test('whoever signs out takes the key along', () => {
  pendingOrderFor(body())
  clearAfterSignOut()
  expect(localStorage.getItem('thunse.person.pending-order')).toBeNull()
})

test('one that waits for its payment has its answer, and is still the same order when it is sent again', () => {
  const { key } = markAwaitingPayment(pendingOrderFor(body({ paymentMethod: 'Khalti' })))
  expect(unansweredOrder()).toBeNull()
  expect(otherUnansweredOrder(body())).toBeNull()
  expect(pendingOrderFor(body({ paymentMethod: 'Khalti' })).key).toBe(key)
  expect(pendingOrderFor(body()).key).not.toBe(key)
})

test('the end of a payment forgets the order that waited for it, and no other', () => {
  const { key } = pendingOrderFor(body())
  clearAwaitingPayment()
  expect(pendingOrderFor(body()).key).toBe(key)
  markAwaitingPayment(pendingOrderFor(body()))
  clearAwaitingPayment()
  expect(pendingOrderFor(body()).key).not.toBe(key)
})
