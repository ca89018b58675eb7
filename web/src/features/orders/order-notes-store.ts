import type { MessageId } from '@/lib/i18n'
import { createStore } from '@/lib/store'

/** What the shop does if a product is not available. */
export const CHOICES = {
  call: 'ifUnavailable.call',
  replace: 'ifUnavailable.replace',
  leave_out: 'ifUnavailable.leaveOut',
} as const satisfies Record<string, MessageId>

export type OrderNotes = {
  shop: string
  rider: string
  ifUnavailable: string
  /** Choices for single products, by their id. */
  lines: Record<string, string>
}

export const EMPTY_NOTES: OrderNotes = { shop: '', rider: '', ifUnavailable: '', lines: {} }

/** Outlives the page, so that nothing is lost while the shopper edits an address. */
export const orderNotes = createStore(EMPTY_NOTES)

/** The message for a choice; one that is newer than this page has none. */
export const choiceMessage = (choice: string | null | undefined): MessageId | null =>
  CHOICES[choice as keyof typeof CHOICES] ?? null
