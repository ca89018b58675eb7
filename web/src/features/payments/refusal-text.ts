import type { Refusal } from '@/api/client'
import type { MessageId, RawText } from '@/lib/i18n'

/** The server's own words, which come in the reader's language. */
export const refusalText = ({ message }: Refusal): MessageId | RawText =>
  (message as RawText) || 'paystate.error'
