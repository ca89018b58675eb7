import type { WasteReason } from '@/features/inventory/api'
import type { MessageId } from '@/lib/i18n'

export const REASON_MESSAGES = {
  expired: 'seller.inventory.reason.expired',
  spoiled: 'seller.inventory.reason.spoiled',
  damaged: 'seller.inventory.reason.damaged',
  lost: 'seller.inventory.reason.lost',
  own_use: 'seller.inventory.reason.ownUse',
  other: 'seller.inventory.reason.other',
} satisfies Record<WasteReason, MessageId>

/** The message for a stored reason; a reason that is newer than this page is shown as 'other'. */
export const reasonMessage = (reason: string): MessageId =>
  REASON_MESSAGES[reason as WasteReason] ?? 'seller.inventory.reason.other'
