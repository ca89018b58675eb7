import type { Product } from '@/features/catalogue/api'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'

export type StockLevel = 'in' | 'low' | 'out'

export function stockLevel(stock: number): StockLevel {
  if (stock <= 0) return 'out'
  return stock <= settings.lowStock ? 'low' : 'in'
}

/**
 * A product has one badge at most: shoppers see the stock only when it is low, and otherwise how much a sale takes off.
 * It uses shape and word, never colour alone.
 */
export function ProductBadge({ product: { stock, price, wasPrice } }: { product: Product }) {
  const t = useT()
  const lang = useLang()
  const level = stockLevel(stock)
  if (level === 'in')
    return wasPrice ? (
      <span className="badge badge-sale">
        −{formatNumber(Math.floor(100 - (price * 100) / wasPrice), lang)}%
      </span>
    ) : null
  return (
    <span className={`badge badge-${level}`} data-testid="stock-badge">
      {level === 'out' ? t('stock.out') : t('product.onlyLeft', { n: formatNumber(stock, lang) })}
    </span>
  )
}
