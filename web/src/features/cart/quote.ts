import type { Paisa } from '@/lib/money'

const SHIPPING: Paisa = 20_00
const FREE_SHIPPING_ABOVE: Paisa = 1000_00
const TAX_PERCENT = 13

export type TaxClass = 'standard' | 'exempt'
export type QuoteLine = { price: Paisa; quantity: number; taxClass: TaxClass }
export type Quote = { subtotal: Paisa; shippingFee: Paisa; tax: Paisa; total: Paisa }

/**
 * What a cart costs: the server's own sum, done here so that a press on + is answered at once. Both are held to
 * `server/seed/quote-vectors.json`. Whole paisa all the way, the tax rounded half up once, so that the printed parts always
 * add up to the printed total.
 */
export function quote(lines: QuoteLine[], vatRegistered: boolean): Quote {
  const sum = (of: QuoteLine[]) => of.reduce((total, line) => total + line.price * line.quantity, 0)
  const subtotal = sum(lines)
  const taxed = vatRegistered ? sum(lines.filter(({ taxClass }) => taxClass === 'standard')) : 0
  const tax = Math.floor((taxed * TAX_PERCENT + 50) / 100)
  // Nothing ordered, nothing to carry.
  const shippingFee = lines.length === 0 || subtotal > FREE_SHIPPING_ABOVE ? 0 : SHIPPING
  return { subtotal, shippingFee, tax, total: subtotal + tax + shippingFee }
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
