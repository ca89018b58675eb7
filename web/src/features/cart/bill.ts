import type { Paisa } from '@/lib/money'

const SHIPPING: Paisa = 20_00
const FREE_SHIPPING_ABOVE: Paisa = 1000_00
const TAX_PERCENT = 13

export type Bill = { subtotal: Paisa; shipping: Paisa; tax: Paisa; total: Paisa }

/** Whole paisa all the way, tax rounded half up, so that the printed parts always add up to the printed total. */
export function bill(lines: { price: Paisa; quantity: number }[]): Bill {
  const subtotal = lines.reduce((sum, line) => sum + line.price * line.quantity, 0)
  const shipping = subtotal > FREE_SHIPPING_ABOVE ? 0 : SHIPPING
  const tax = Math.floor((subtotal * TAX_PERCENT + 50) / 100)
  return { subtotal, shipping, tax, total: subtotal + tax + shipping }
}

export type FreeShipping = { state: 'more'; missing: Paisa } | { state: 'any' } | { state: 'yes' }

/** Exactly 1000 still pays: the threshold must be exceeded. */
export function freeShipping(subtotal: Paisa): FreeShipping {
  if (subtotal > FREE_SHIPPING_ABOVE) return { state: 'yes' }
  if (subtotal === FREE_SHIPPING_ABOVE) return { state: 'any' }
  return { state: 'more', missing: FREE_SHIPPING_ABOVE - subtotal }
}

export function freeShippingPercent(subtotal: Paisa): number {
  return Math.min(100, Math.floor((subtotal * 100) / FREE_SHIPPING_ABOVE))
}
