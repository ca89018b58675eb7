import type { Product } from '@/features/catalogue/api'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, toPaisa } from '@/lib/money'

/** The price tag as the seller wrote it: decimals only when there are paisa. */
export function Price({ rupees }: { rupees: number }) {
  return <strong className="price">{formatMoney(toPaisa(rupees), useLang(), 'auto')}</strong>
}

const UNITS = { kg: 'unit.kg', l: 'unit.l', piece: 'unit.piece', g: 'unit.g', ml: 'unit.ml' } as const

/** Pack size and price per kilo or litre, which is how people compare packs. */
export function PackLine({ product }: { product: Product }) {
  const t = useT()
  const lang = useLang()
  const { unit, unitPrice } = product
  const parts = []
  if (unit) parts.push(localText(unit, 'label', lang))
  if (unitPrice) {
    const known = UNITS[unitPrice.per as keyof typeof UNITS]
    parts.push(
      t('product.perUnit', {
        price: formatMoney(toPaisa(unitPrice.price), lang, 'auto'),
        unit: known ? t(known) : unitPrice.per,
      }),
    )
  }
  return <p className="meta card-pack">{parts.join(' · ')}</p>
}
