import type { DroppedProduct } from '@/features/cart/api'
import type { Lang } from '@/lib/first-data'
import type { t as translate } from '@/lib/i18n'
import { localText } from '@/lib/local-text'

/** Names the removed products as far as the shop still knows their names. */
export function droppedText(products: DroppedProduct[], lang: Lang, t: typeof translate): string {
  const names = products.flatMap((product) => localText(product, 'name', lang) || [])
  return names.length > 0 ? t('cart.dropped', { names: names.join(', ') }) : t('cart.droppedSome')
}
