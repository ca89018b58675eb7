import { formatDate } from '@/lib/dates'
import { useLang } from '@/lib/i18n'

export function Day({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatDate(iso, useLang())}</time>
}
