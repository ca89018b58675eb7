import { render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { STATUSES, StatusBadge, statusVariant } from '@/features/orders/status'
import { activateLang } from '@/lib/i18n'

afterEach(() => activateLang('en'))

// spec: 4.status.1, 4.status.2
test.each([
  ['Order Placed', 'processing'],
  ['PROCESSING', 'processing'],
  ['Order Confirmed', 'confirmed'],
  ['order confirmed', 'confirmed'],
  ['Order Shipped', 'shipped'],
  ['Shipped', 'shipped'],
  ['Out for Delivery', 'in-transit'],
  ['In-Transit', 'in-transit'],
  ['Delivered', 'delivered'],
  ['Cancelled', 'canceled'],
  ['CANCELED', 'canceled'],
  ['Payment Pending', 'other'],
  ['Payment Failed', 'other'],
  ['Lost in the hills', 'other'],
])('%s looks like %s', (status, variant) => {
  expect(statusVariant(status)).toBe(variant)
})

test('the word itself is always printed, in Nepali where it is known', async () => {
  const { rerender } = render(<StatusBadge status="Out for Delivery" />)
  expect(screen.getByText('Out for Delivery')).toBeInTheDocument()
  await activateLang('ne')
  rerender(<StatusBadge status="Delivered" />)
  expect(screen.getByText('पुर्‍याइयो')).toBeInTheDocument()
  rerender(<StatusBadge status="Payment Failed" />)
  expect(screen.getByText('भुक्तानी भएन')).toBeInTheDocument()
  rerender(<StatusBadge status="Lost in the hills" />)
  expect(screen.getByText('Lost in the hills')).toBeInTheDocument()
})

test('the seller chooses among six', () => {
  expect(STATUSES).toHaveLength(6)
})

test('prices on the seller’s list stand behind the chosen sign, with two decimals', () => {
  expect(formatSellerPrice(120, 'en')).toBe('$120.00')
  expect(formatSellerPrice(123456.7, 'en')).toBe('$1,23,456.70')
  expect(formatSellerPrice(120, 'en', 'Rs.')).toBe('Rs.\u00a0120.00')
})
