import type { MessageId } from '@/lib/i18n'

/** The messages for the states of payments and of refunds, since the report contains both. */
const STATES = {
  created: 'seller.cases.paymentState.created',
  initiated: 'seller.cases.paymentState.initiated',
  paid: 'seller.cases.paymentState.paid',
  paid_extra: 'seller.cases.paymentState.paid_extra',
  failed: 'seller.cases.paymentState.failed',
  conflict: 'seller.cases.paymentState.conflict',
  abandoned: 'seller.cases.paymentState.abandoned',
  requested: 'seller.cases.refundState.requested',
  sent: 'seller.cases.refundState.sent',
  confirmed: 'seller.cases.refundState.confirmed',
  withdrawn: 'seller.cases.refundState.withdrawn',
  manual: 'seller.cases.refundState.manual',
} satisfies Record<string, MessageId>

export const paymentStateMessage = (code: string): MessageId | null =>
  STATES[code as keyof typeof STATES] ?? null

/** The messages for the wallet's states, which have several spellings. */
const WALLET = {
  completed: 'seller.cases.walletStatus.completed',
  pending: 'seller.cases.walletStatus.pending',
  initiated: 'seller.cases.walletStatus.initiated',
  refunded: 'seller.cases.walletStatus.refunded',
  'partially refunded': 'seller.cases.walletStatus.partly',
  expired: 'seller.cases.walletStatus.expired',
  'user canceled': 'seller.cases.walletStatus.canceled',
  canceled: 'seller.cases.walletStatus.canceled',
  failed: 'seller.cases.walletStatus.failed',
} satisfies Record<string, MessageId>

export const walletStatusMessage = (said: string): MessageId | null =>
  WALLET[said.trim().toLowerCase() as keyof typeof WALLET] ?? null
