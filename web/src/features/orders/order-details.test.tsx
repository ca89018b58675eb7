import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { OrderDetails } from '@/features/orders/order-details'
import { activateLang, loadMessages } from '@/lib/i18n'
import { anOrder } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'

afterEach(() => activateLang('en'))

const price = (rupees: number) => `Rs. ${rupees}`

test('an order that waits for its buyer says until when, by the clock of Nepal', async () => {
  await loadMessages('features/orders/lazy-order-parts')
  const order = anOrder({ confirmBy: '2026-11-16T18:20:00Z' })
  await renderInShop(<OrderDetails order={order} price={price} />)
  expect(screen.getByTestId('confirm-by')).toHaveTextContent(
    "Please confirm your email by 00:05, or the order will be cancelled. We've emailed you a link.",
  )
  await activateLang('ne')
  expect(await screen.findByText(/००:०५ सम्ममा/)).toBeInTheDocument()
})

test('an order that waits for nobody says nothing of it', async () => {
  await loadMessages('features/orders/lazy-order-parts')
  await renderInShop(<OrderDetails order={anOrder()} price={price} />)
  expect(screen.queryByTestId('confirm-by')).not.toBeInTheDocument()
})

test('an order with a coupon shows the prices before it, its discount and what was charged', async () => {
  await loadMessages('features/orders/lazy-order-parts')
  const [item] = anOrder().items
  const items = [{ ...item, price: 288, priceBeforeCoupon: 320, quantity: 2 }] as never
  const order = anOrder({ items, coupon: { code: 'TENTH', discount: 64 }, subtotal: 576 })
  await renderInShop(<OrderDetails order={order} price={price} />)
  expect(screen.getByTestId('order-item')).toHaveTextContent('2 × Rs. 288 Rs. 320Rs. 320 before the coupon')
  const rows = [...document.querySelectorAll('.bill div')].map((row) => row.textContent)
  expect(rows.slice(0, 3)).toEqual(['Price before couponRs. 640', 'Coupon TENTH−Rs. 64', 'SubtotalRs. 576'])
})
