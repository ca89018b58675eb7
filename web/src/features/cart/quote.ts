import type { Rates } from '@/features/shop/rules'
import type { Paisa } from '@/lib/money'

/** The denominator of rates: 13 % is 1300. */
const WHOLE = 10_000

export type TaxClass = 'standard' | 'exempt'
export type QuoteLine = { price: Paisa; quantity: number; taxClass: TaxClass }
export type Quote = {
  /** Without the tax, also if the prices include it. */
  subtotal: Paisa
  shippingFee: Paisa
  tax: Paisa
  total: Paisa
  /** What the subtotal lacks until the least order of the delivery zone. */
  minimumMissing: Paisa
  /** What a coupon has taken off the prices, which the other figures contain already. */
  discount?: Paisa
}

/**
 * Computes what a cart costs, like the server, so that a press on + updates the total at once. Both are tested with
 * `data/quote-vectors.json`. All sums are whole paisa and the tax is rounded half up once, so that the printed
 * parts always add up to the printed total.
 */
export function quote(lines: QuoteLine[], rates: Rates): Quote {
  const sum = (lines: QuoteLine[]) => lines.reduce((total, line) => total + line.price * line.quantity, 0)
  // As the prices say, which may include the tax.
  const goods = sum(lines)
  const taxed = rates.vatRegistered ? sum(lines.filter(({ taxClass }) => taxClass === 'standard')) : 0
  const includesTax = rates.pricesIncludeTax ?? false
  const base = includesTax ? WHOLE + rates.taxRate : WHOLE
  const tax = Math.floor((taxed * rates.taxRate * 2 + base) / (base * 2))
  const subtotal = includesTax ? goods - tax : goods
  // An empty cart costs no shipping.
  const free = rates.freeShippingAbove !== null && goods > rates.freeShippingAbove
  const shippingFee = lines.length === 0 || free ? 0 : rates.shippingFee
  const minimumMissing = lines.length === 0 ? 0 : Math.max((rates.minimum ?? 0) - goods, 0)
  return { subtotal, shippingFee, tax, total: subtotal + tax + shippingFee, minimumMissing }
}

/** What the goods cost at their prices, which decides about free shipping. */
export const goodsWorth = ({ subtotal, tax }: Pick<Quote, 'subtotal' | 'tax'>, rates: Rates): Paisa =>
  rates.pricesIncludeTax ? subtotal + tax : subtotal

export type FreeShipping = { state: 'more'; missing: Paisa } | { state: 'any' | 'yes' | 'never' }

/** The subtotal must exceed the threshold. A shop without a fee ships everything free. */
export function freeShipping(subtotal: Paisa, { shippingFee, freeShippingAbove }: Rates): FreeShipping {
  if (shippingFee === 0) return { state: 'yes' }
  if (freeShippingAbove === null) return { state: 'never' }
  if (subtotal > freeShippingAbove) return { state: 'yes' }
  if (subtotal === freeShippingAbove) return { state: 'any' }
  return { state: 'more', missing: freeShippingAbove - subtotal }
}

export function freeShippingPercent(subtotal: Paisa, { shippingFee, freeShippingAbove }: Rates): number {
  if (shippingFee === 0) return 100
  if (freeShippingAbove === null) return 0
  if (subtotal >= freeShippingAbove) return 100
  return Math.floor((subtotal * 100) / freeShippingAbove)
}
