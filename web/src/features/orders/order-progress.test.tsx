import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Order } from '@/features/orders/api'
import { OrderProgress } from '@/features/orders/order-progress'
import { settings } from '@/lib/first-data'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'

const { phone } = settings.contact
afterEach(() => {
  settings.contact.phone = phone
})

const at = (status: string, date: string) => ({ _id: `${status}${date}`, status, date })
const PLACED = at('Order Placed', '2026-11-14T08:20:00Z')
const show = (changes: Partial<Order>) =>
  renderInShop(<OrderProgress order={anOrder(changes)} price={(rupees) => `Rs. ${rupees}`} />, {
    at: '/orders',
  })
const steps = () => within(screen.getByTestId('steps')).getAllByRole('listitem')

test('an order on its way says when it arrives, which step it has reached and since when', async () => {
  settings.contact.phone = '01-4412345'
  await show({
    status: 'Order Shipped',
    timeline: [PLACED, at('Order Shipped', '2026-11-15T03:00:00Z')],
    deliveryDate: '2026-11-16',
    deliveryWindow: { starts: '07:00', ends: '09:00', hasPlace: true },
  })
  expect(screen.getByTestId('arrives')).toHaveTextContent('Arrives on 16 Nov 2026, 07:00–09:00')
  expect(steps().map((step) => step.getAttribute('aria-current'))).toEqual([null, null, 'step', null, null])
  expect(steps()[2]).toHaveTextContent('Order Shipped15 Nov 2026')
  expect(screen.getByRole('link', { name: 'Call us about this delivery' })).toHaveAttribute(
    'href',
    'tel:+97714412345',
  )
})

test('a cancelled order ends where it was and promises nothing', async () => {
  await show({ status: 'Cancelled', timeline: [PLACED, at('Cancelled', '2026-11-15T03:00:00Z')] })
  expect(screen.getByText('This order was cancelled')).toBeInTheDocument()
  expect(steps().map((step) => step.firstChild?.textContent)).toEqual(['Order Placed', 'Cancelled'])
  expect(screen.queryByTestId('arrives')).toBeNull()
})

test('a delivered order says when it came', async () => {
  await show({ status: 'Delivered', timeline: [PLACED, at('Delivered', '2026-11-17T03:00:00Z')] })
  expect(screen.getByText('Delivered on 17 Nov 2026')).toBeInTheDocument()
})

test('an unpaid order promises no day, and an order that was not just placed is not confirmed', async () => {
  await show({ paymentMethod: 'Khalti', paymentState: 'awaiting', timeline: [PLACED] })
  expect(screen.queryByTestId('arrives')).toBeNull()
  expect(screen.queryByTestId('placed')).toBeNull()
})
