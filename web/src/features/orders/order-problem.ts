import { ApiError, errorCode } from '@/api/client'
import type { OrderRefusal } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'
import type { MessageId, RawText } from '@/lib/i18n'

/** The reason why an order was not placed, which the page shows beside the button. */
export type OrderProblem = OrderRefusal & { code: string; text: MessageId | RawText }

const KNOWN = {
  address_not_found: 'order.refused.address_not_found',
  address_required: 'order.refused.address_required',
  address_incomplete: 'order.refused.address_incomplete',
  busy: 'order.refused.busy',
  cash_limit: 'order.refused.cash_limit',
  delivery_closed: 'order.refused.delivery_closed',
  delivery_full: 'order.refused.delivery_full',
  hold_limit: 'order.refused.hold_limit',
  items_invalid: 'order.refused.items_invalid',
  online_payment_unavailable: 'order.refused.online_payment_unavailable',
  order_too_large: 'order.refused.order_too_large',
  out_of_stock: 'order.refused.out_of_stock',
  price_changed: 'order.refused.price_changed',
  product_gone: 'order.refused.product_gone',
  signed_out: 'order.refused.signed_out',
  too_many_open_orders: 'order.refused.too_many_open_orders',
  too_many_requests: 'order.refused.too_many_requests',
  too_many_unpaid: 'order.refused.too_many_unpaid',
} satisfies Record<string, MessageId>

const NAMING = ['out_of_stock', 'product_gone']
/** The server's message names the limit, the shop's phone number, its zones or the coupon, in the reader's language. */
const LIMITS = [
  'cash_limit',
  'order_too_large',
  'too_many_open_orders',
  'below_minimum',
  'outside_zones',
  'coupon_unknown',
  'coupon_not_begun',
  'coupon_ended',
  'coupon_minimum',
  'coupon_used',
  'coupon_unavailable',
]

export function orderProblem(error: unknown, lang = document.documentElement.lang): OrderProblem {
  const code = errorCode(error) ?? ''
  const known = KNOWN[code as keyof typeof KNOWN]
  if (!(error instanceof ApiError)) return { code, text: known ?? 'order.unreachable' }
  const data = (error.data ?? {}) as OrderRefusal
  // The server's English message names the product; in Nepali the marked cart lines show it.
  if (error.message && (LIMITS.includes(code) || (lang !== 'ne' && NAMING.includes(code)))) {
    return { ...data, code, text: error.message as RawText }
  }
  return {
    ...data,
    code,
    text: known ?? (error.status === 429 ? KNOWN.too_many_requests : 'order.refused.other'),
  }
}

/**
 * The toast for a failed order. A refused online order has none, because its explanation is beside the button; neither
 * has a wallet that is unavailable.
 */
export function orderToast(error: unknown, method: string): MessageId | null {
  const online = method !== CASH
  if (error instanceof ApiError) return online ? null : 'order.failed'
  return online && errorCode(error) === 'online_payment_unavailable' ? null : 'order.error'
}
