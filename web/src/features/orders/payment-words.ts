import type { Order } from '@/features/orders/api'
import type { MessageId } from '@/lib/i18n'

/** How far an online order's payment is, in words. Cash has none: its turn comes at the door. */
const STATES = {
  awaiting: 'orders.paymentState.awaiting',
  paid: 'orders.paymentState.paid',
  failed: 'orders.paymentState.failed',
  conflict: 'orders.paymentState.conflict',
  refund_due: 'orders.paymentState.refund_due',
  refunded: 'orders.paymentState.refunded',
} satisfies Record<string, MessageId>

export const paymentWords = ({ paymentState }: Order): MessageId | null =>
  STATES[paymentState as keyof typeof STATES] ?? null
