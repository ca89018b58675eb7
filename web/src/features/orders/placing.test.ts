import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { signedOut } from '@/features/accounts/person'
import { sessions } from '@/features/accounts/session'
import type { OrderBody } from '@/features/orders/api'
import {
  awaitPayment,
  forgetAnswered,
  openPlacing,
  placingAnswered,
  placingFor,
  unansweredBefore,
} from '@/features/orders/placing'
import { aUser } from '@/test/fixtures'

const body = (changes: Partial<OrderBody> = {}): OrderBody => ({
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

beforeEach(placingAnswered)

test('the same order keeps its key until it is answered', () => {
  const { key } = placingFor(body())
  expect(key).toMatch(/^[0-9a-f-]{36}$/)
  expect(placingFor(body()).key).toBe(key)
  placingAnswered()
  expect(placingFor(body()).key).not.toBe(key)
})

test('another cart, address or price is another order', () => {
  const { key } = placingFor(body())
  const other = placingFor(body({ items: [{ id: 'rice', quantity: 3 }] })).key
  expect(other).not.toBe(key)
  expect(placingFor(body({ address: 'Patan' })).key).not.toBe(other)
})

test('its key is written down before it is sent, and nothing about the person is', () => {
  const { key } = placingFor(body())
  const stored = localStorage.getItem('thunse.person.placing') ?? ''
  expect(JSON.parse(stored)).toMatchObject({ key })
  for (const personal of ['Sita', 'sita@example.com', '9841234567', 'Baneshwor'])
    expect(stored).not.toContain(personal)
})

test('after an hour nobody waits for it any more', () => {
  const { at } = placingFor(body())
  expect(openPlacing(at + 59 * 60_000)).not.toBeNull()
  expect(openPlacing(at + 61 * 60_000)).toBeNull()
})

test('stored nonsense is no order', () => {
  localStorage.setItem('thunse.person.placing', '{"key":1')
  expect(openPlacing()).toBeNull()
  localStorage.setItem('thunse.person.placing', '{}')
  expect(openPlacing()).toBeNull()
})

test('another order than the unanswered one is told apart from the same one', () => {
  const { key } = placingFor(body())
  expect(unansweredBefore(body())).toBeNull()
  expect(unansweredBefore(body({ address: 'Patan' }))?.key).toBe(key)
  placingAnswered()
  expect(unansweredBefore(body({ address: 'Patan' }))).toBeNull()
})

test('somebody else who signs in here has nothing to do with it', () => {
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  const { key } = placingFor(body())
  queryClient.setQueryData(sessions.user.queryKey, null)
  expect(openPlacing()?.key).toBe(key)
  queryClient.setQueryData(sessions.user.queryKey, aUser({ _id: 'u-hari' }))
  expect(openPlacing()).toBeNull()
  expect(placingFor(body()).key).not.toBe(key)
})

test('whoever signs out takes the key along', () => {
  placingFor(body())
  signedOut()
  expect(localStorage.getItem('thunse.person.placing')).toBeNull()
})

test('one that waits for its payment has its answer, and is still the same order when it is sent again', () => {
  const { key } = awaitPayment(placingFor(body({ paymentMethod: 'Khalti' })))
  expect(openPlacing()).toBeNull()
  expect(unansweredBefore(body())).toBeNull()
  expect(placingFor(body({ paymentMethod: 'Khalti' })).key).toBe(key)
  expect(placingFor(body()).key).not.toBe(key)
})

test('the end of a payment forgets the order that waited for it, and no other', () => {
  const { key } = placingFor(body())
  forgetAnswered()
  expect(placingFor(body()).key).toBe(key)
  awaitPayment(placingFor(body()))
  forgetAnswered()
  expect(placingFor(body()).key).not.toBe(key)
})
