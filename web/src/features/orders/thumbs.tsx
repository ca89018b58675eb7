import { ItemPicture } from '@/features/catalogue/item-picture'
import type { OrderItem } from '@/features/orders/api'
import { useLang } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'

const THUMBS = 4

export function Thumbs({ items }: { items: OrderItem[] }) {
  const lang = useLang()
  const more = items.length - THUMBS
  return (
    <span className="order-thumbs" aria-hidden="true">
      {items.slice(0, THUMBS).map((item) => (
        <ItemPicture key={item._id} item={item} />
      ))}
      {more > 0 ? <span className="order-thumbs-more">+{formatNumber(more, lang)}</span> : null}
    </span>
  )
}
