import { isServerError, Refusal } from '@/api/client'
import { serverText } from '@/api/server-text'
import type { MessageId, RawText } from '@/lib/i18n'

type Text = MessageId | RawText

/** The line is dead: nobody answered at all. */
export const unanswered = (error: unknown) =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'AbortError')

/** What the server says of its no: its own words, otherwise ours. */
export const refusedText = (error: Refusal, fallback: MessageId): Text =>
  serverText(error, { refused: fallback, broken: fallback })

/**
 * The rule for changing and deleting products: a no in the server's words, a fault in ours. Only a 500 is called an internal error: a
 * 503 comes from a busy server, a 502 from the proxy of a stopped one.
 */
export function failureText(error: unknown): Text {
  if (error instanceof Refusal) return refusedText(error, 'sprod.failed')
  if (isServerError(error)) return 'session.500'
  return unanswered(error) ? 'sprod.noResponse' : 'session.unreachable'
}

/** Which field the server means, where it says so. */
export function fieldOf(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  if (error.code === 'image_type' || error.code === 'image_size' || error.code === 'image_pixels')
    return (error.data as { field?: string } | undefined)?.field ?? 'image'
  return error.code === 'field_invalid' ? (error.data as { field?: string } | undefined)?.field : undefined
}
