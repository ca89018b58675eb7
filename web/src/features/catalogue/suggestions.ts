import type { Category, Product } from '@/features/catalogue/api'
import type { Lang } from '@/lib/first-data'
import { localText } from '@/lib/local-text'

const MAX_PRODUCTS = 6
const MAX_CATEGORIES = 2

export type Suggestion =
  | { kind: 'category'; label: string; category: Category }
  | { kind: 'product'; label: string; product: Product }

/** Suggests matches for the typed text, in either script, among data that is already on this device. */
export function suggest(
  typed: string,
  lang: Lang,
  products: Iterable<Product>,
  categories: Category[],
): Suggestion[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted.length < 2) return []
  const matches = ({ name, nameNe }: { name: string; nameNe: string | null }) =>
    name.toLowerCase().includes(wanted) || (nameNe?.includes(wanted) ?? false)
  const matching = categories.filter(matches).slice(0, MAX_CATEGORIES)
  const goods = [...products].filter(matches).slice(0, MAX_PRODUCTS)
  return [
    ...matching.map(
      (category): Suggestion => ({ kind: 'category', label: localText(category, 'name', lang), category }),
    ),
    ...goods.map(
      (product): Suggestion => ({ kind: 'product', label: localText(product, 'name', lang), product }),
    ),
  ]
}
