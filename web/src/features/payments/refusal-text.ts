import type { Refusal } from '@/api/client'
import { type MessageId, type RawText, say, t } from '@/lib/i18n'

/** The server's own words; in Nepali ours, where we know the code. */
export function refusalText({ code, message }: Refusal): MessageId | RawText {
  const known = `server.${code}` as RawText
  if (document.documentElement.lang === 'ne' && say(known) !== known)
    return t(known as unknown as MessageId) as RawText
  return (message as RawText) || 'paystate.error'
}
