import { ApiError } from '@/api/client'
import type { MessageId, RawText } from '@/lib/i18n'

/**
 * The text for a refused request: the server's message, which is in the reader's language. Without a message, or after
 * a failure, it is the screen's own message.
 */
export function serverText(
  error: unknown,
  texts: { refused: MessageId; broken: MessageId },
): MessageId | RawText {
  if (!(error instanceof ApiError)) return texts.broken
  return (error.message as RawText) || texts.refused
}
