import { type StockLevel, stockLevel } from '@/features/catalogue/stock'
import { type MessageId, useT } from '@/lib/i18n'

const STOCK_WORDS = {
  in: 'stock.in',
  low: 'stock.low',
  out: 'stock.out',
} as const satisfies Record<StockLevel, MessageId>

/** A badge with shape, word and colour. The number itself is beside it. */
export function StockBadge({ stock }: { stock: number }) {
  const t = useT()
  const level = stockLevel(stock)
  return (
    <span className={`badge badge-${level}`} data-testid="stock-badge">
      {t(STOCK_WORDS[level])}
    </span>
  )
}
