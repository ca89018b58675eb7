import { Refusal } from '@/api/client'
import { type MessageId, type RawText, say, t } from '@/lib/i18n'
import { localDigits } from '@/lib/money'

/**
 * What to tell people when the server says no: its own words, in their language where we know the code. Without any words,
 * or when something broke, the sentence of the screen.
 */
export function serverText(
  error: unknown,
  texts: { refused: MessageId; broken: MessageId },
): MessageId | RawText {
  if (!(error instanceof Refusal)) return texts.broken
  const known = `server.${error.code}` as RawText
  const [seconds = ''] = error.message.match(/\d+/) ?? []
  if (document.documentElement.lang === 'ne' && say(known) !== known) {
    return t(known as unknown as MessageId, { n: localDigits(seconds, 'ne') }) as RawText
  }
  return (error.message as RawText) || texts.refused
}
