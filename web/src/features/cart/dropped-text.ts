import type { DroppedProduct } from '@/features/cart/api'
import type { Lang } from '@/lib/first-data'
import type { t as translate } from '@/lib/i18n'
import { localText } from '@/lib/local-text'

/** Names what went, where the shop still knows a name. */
export function droppedText(products: DroppedProduct[], lang: Lang, t: typeof translate): string {
  const names = products.flatMap((product) => localText(product, 'name', lang) || [])
  return names.length > 0 ? t('cart.dropped', { names: names.join(', ') }) : t('cart.droppedSome')
}
