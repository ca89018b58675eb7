import type { ApiError } from '@/api/client'
import type { MessageId, RawText } from '@/lib/i18n'

/** The server's own message, which comes in the reader's language. */
export const paymentErrorText = ({ message }: ApiError): MessageId | RawText =>
  (message as RawText) || 'payment.error'
