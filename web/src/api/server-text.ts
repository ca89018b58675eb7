import { ApiError } from '@/api/client'
import type { MessageId, RawText } from '@/lib/i18n'

/**
 * What to tell people when the server says no: its own words, which come in their language. Without any words, or when
 * something broke, the sentence of the screen.
 */
export function serverText(
  error: unknown,
  texts: { refused: MessageId; broken: MessageId },
): MessageId | RawText {
  if (!(error instanceof ApiError)) return texts.broken
  return (error.message as RawText) || texts.refused
}
