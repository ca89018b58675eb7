import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'

export type StockLevel = 'in' | 'low' | 'out'

export function stockLevel(stock: number): StockLevel {
  if (stock <= 0) return 'out'
  return stock <= settings.lowStock ? 'low' : 'in'
}

/** Shoppers see the stock only when it is low. It uses shape and word, never colour alone. */
export function StockNote({ stock }: { stock: number }) {
  const t = useT()
  const lang = useLang()
  const level = stockLevel(stock)
  if (level === 'in') return null
  return (
    <span className={`badge badge-${level}`} data-testid="stock-badge">
      {level === 'out' ? t('stock.out') : t('product.onlyLeft', { n: formatNumber(stock, lang) })}
    </span>
  )
}
