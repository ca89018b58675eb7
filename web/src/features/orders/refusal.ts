import { codeOf, Refusal } from '@/api/client'
import type { OrderRefused } from '@/features/orders/api'
import { CASH } from '@/features/orders/cash'
import type { MessageId, RawText } from '@/lib/i18n'

/** Why an order was not placed, as the page explains it beside the button. */
export type OrderProblem = OrderRefused & { code: string; text: MessageId | RawText }

const KNOWN = {
  address_not_found: 'order.no.address_not_found',
  address_required: 'order.no.address_required',
  busy: 'order.no.busy',
  cash_limit: 'order.no.cash_limit',
  hold_limit: 'order.no.hold_limit',
  items_invalid: 'order.no.items_invalid',
  online_payment_unavailable: 'order.no.online_payment_unavailable',
  order_too_large: 'order.no.order_too_large',
  out_of_stock: 'order.no.out_of_stock',
  price_changed: 'order.no.price_changed',
  product_gone: 'order.no.product_gone',
  signed_out: 'order.no.signed_out',
  too_many_open_orders: 'order.no.too_many_open_orders',
  too_many_requests: 'order.no.too_many_requests',
  too_many_unpaid: 'order.no.too_many_unpaid',
} satisfies Record<string, MessageId>

const NAMING = ['out_of_stock', 'product_gone']
/** The server's words name the limit and the shop's phone number, in the reader's language. */
const LIMITS = ['cash_limit', 'order_too_large', 'too_many_open_orders']

export function orderProblem(error: unknown, lang = document.documentElement.lang): OrderProblem {
  const code = codeOf(error) ?? ''
  const known = KNOWN[code as keyof typeof KNOWN]
  if (!(error instanceof Refusal)) return { code, text: known ?? 'order.broken' }
  const data = (error.data ?? {}) as OrderRefused
  // In English the server's own words name the product; what is marked in the lines says it in Nepali.
  if (error.message && (LIMITS.includes(code) || (lang !== 'ne' && NAMING.includes(code)))) {
    return { ...data, code, text: error.message as RawText }
  }
  return { ...data, code, text: known ?? (error.status === 429 ? KNOWN.too_many_requests : 'order.no.other') }
}

/**
 * The toast that goes with it. An online order that was refused gets none (its explanation stands beside the button), and
 * neither does a wallet that cannot be used at the moment.
 */
export function orderToast(error: unknown, method: string): MessageId | null {
  const online = method !== CASH
  if (error instanceof Refusal) return online ? null : 'order.failed'
  return online && codeOf(error) === 'online_payment_unavailable' ? null : 'order.error'
}
