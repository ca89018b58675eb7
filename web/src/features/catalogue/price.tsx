import type { Product } from '@/features/catalogue/api'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'

/** A price, and the one before a sale; it has decimals only when it has paisa. */
export function Price({ rupees, was }: { rupees: number; was?: number | undefined }) {
  const t = useT()
  const lang = useLang()
  const money = (amount: number) => formatMoney(toPaisa(amount), lang, 'auto')
  return (
    <>
      <strong className="price">{money(rupees)}</strong>
      {was ? (
        <s className="was">
          <span className="sr-only">{t('product.was')} </span>
          {money(was)}
        </s>
      ) : null}
    </>
  )
}

const WEIGHED = { kg: 'unit.kg', l: 'unit.l', g: 'unit.g', ml: 'unit.ml' } as const
const UNITS = { ...WEIGHED, piece: 'unit.piece' } as const

/** Pack size and price per kilo or litre, to compare packs. `short` is for cards: '75 g', not '75 g packet'. */
export function PackLine({ product, short = false }: { product: Product; short?: boolean }) {
  const t = useT()
  const lang = useLang()
  const { unit, unitPrice } = product
  const known = unitPrice && UNITS[unitPrice.per as keyof typeof UNITS]
  const weighed = short && unit ? WEIGHED[unit.measure as keyof typeof WEIGHED] : undefined
  return (
    <p className="meta pack">
      {unit ? (
        <span className="pack-label">
          {weighed
            ? `${formatNumber(unit.amount, lang, Number.isInteger(unit.amount) ? 0 : 1)} ${t(weighed)}`
            : localText(unit, 'label', lang)}
        </span>
      ) : null}
      {unit && unitPrice ? ' · ' : null}
      {unitPrice ? (
        <span>
          {t('product.perUnit', {
            price: formatMoney(toPaisa(unitPrice.price), lang, 'auto'),
            unit: known ? t(known) : unitPrice.per,
          })}
        </span>
      ) : null}
    </p>
  )
}
