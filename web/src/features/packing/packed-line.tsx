import type { PriceFormat } from '@/features/orders/order-parts'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'

type Named = { name: string; nameNe: string | null }

type PackedLineProps = {
  name: string
  line: {
    packed: number
    ordered: number
    replacement: (Named & { quantity: number; price: number }) | null
  }
  reason?: MessageId | undefined
  price: PriceFormat
}

/** A line that was, or would be, packed differently from the order. */
export function PackedLine({ name, line: { packed, ordered, replacement }, reason, price }: PackedLineProps) {
  const t = useT()
  const lang = useLang()
  const other = replacement ? localText(replacement, 'name', lang) : ''
  return (
    <li>
      <strong lang={scriptLang(name, lang)} translate="no">
        {name}
      </strong>
      <span>
        {t('packing.count', { packed: formatNumber(packed, lang), ordered: formatNumber(ordered, lang) })}
        {reason ? ` · ${t(reason)}` : ''}
      </span>
      {replacement ? (
        <span>
          {t('packing.instead')}{' '}
          <span lang={scriptLang(other, lang)} translate="no">
            {formatNumber(replacement.quantity, lang)} × {other}
          </span>
          , {price(replacement.price * replacement.quantity)}
        </span>
      ) : null}
    </li>
  )
}
