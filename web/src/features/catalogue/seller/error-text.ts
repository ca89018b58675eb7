import { ApiError, isServerError } from '@/api/client'
import { serverText } from '@/api/server-text'
import type { MessageId, RawText } from '@/lib/i18n'

type Text = MessageId | RawText

/** Whether the server could not be reached at all. */
export const isNetworkError = (error: unknown) =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'AbortError')

/** The server's own message for a refusal, otherwise ours. */
export const apiErrorText = (error: ApiError, fallback: MessageId): Text =>
  serverText(error, { refused: fallback, broken: fallback })

/**
 * The text for a failed change or deletion of a product: the server's message for a refusal, otherwise ours. Only a 500
 * is called an internal error: a 503 comes from a busy server, a 502 from the proxy of a stopped one.
 */
export function errorText(error: unknown): Text {
  if (error instanceof ApiError) return apiErrorText(error, 'seller.products.failed')
  if (isServerError(error)) return 'session.500'
  return isNetworkError(error) ? 'seller.products.noResponse' : 'session.unreachable'
}

/** The field that the server's refusal is about, if it names one. */
export function errorField(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'image_type' || error.code === 'image_size' || error.code === 'image_pixels')
    return (error.data as { field?: string } | undefined)?.field ?? 'image'
  return error.code === 'field_invalid' ? (error.data as { field?: string } | undefined)?.field : undefined
}
