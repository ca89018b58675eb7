import type { Order } from '@/features/orders/api'
import type { MessageId } from '@/lib/i18n'

/** The message for the state of an online order's payment. Cash has none: it is paid on delivery. */
const STATES = {
  awaiting: 'orders.paymentState.awaiting',
  paid: 'orders.paymentState.paid',
  failed: 'orders.paymentState.failed',
  conflict: 'orders.paymentState.conflict',
  refund_due: 'orders.paymentState.refund_due',
  refunded: 'orders.paymentState.refunded',
} satisfies Record<string, MessageId>

export const paymentMessage = ({ paymentState }: Order): MessageId | null =>
  STATES[paymentState as keyof typeof STATES] ?? null
