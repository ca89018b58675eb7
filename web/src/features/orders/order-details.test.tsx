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
