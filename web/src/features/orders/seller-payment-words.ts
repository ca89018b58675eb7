import type { MessageId } from '@/lib/i18n'

/** What we know of a payment or its refund: the codes of both, since the report speaks of either. */
const STATES = {
  created: 'scase.state.created',
  initiated: 'scase.state.initiated',
  paid: 'scase.state.paid',
  paid_extra: 'scase.state.paid_extra',
  failed: 'scase.state.failed',
  conflict: 'scase.state.conflict',
  abandoned: 'scase.state.abandoned',
  requested: 'scase.refund.requested',
  sent: 'scase.refund.sent',
  confirmed: 'scase.refund.confirmed',
  withdrawn: 'scase.refund.withdrawn',
  manual: 'scase.refund.manual',
} satisfies Record<string, MessageId>

export const paymentStateWords = (code: string): MessageId | null =>
  STATES[code as keyof typeof STATES] ?? null

/** What the wallet says, which has several spellings for the same. */
const WALLET = {
  completed: 'scase.wallet.completed',
  pending: 'scase.wallet.pending',
  initiated: 'scase.wallet.initiated',
  refunded: 'scase.wallet.refunded',
  'partially refunded': 'scase.wallet.partly',
  expired: 'scase.wallet.expired',
  'user canceled': 'scase.wallet.canceled',
  canceled: 'scase.wallet.canceled',
  failed: 'scase.wallet.failed',
} satisfies Record<string, MessageId>

export const walletWords = (said: string): MessageId | null =>
  WALLET[said.trim().toLowerCase() as keyof typeof WALLET] ?? null
