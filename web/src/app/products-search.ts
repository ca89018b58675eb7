import { type ProductFilter, SORTS, type Sort } from '@/features/catalogue/api'

function isSort(text: unknown): text is Sort {
  return SORTS.some((sort) => sort === text)
}

/** What `/products?…` may carry. Anything else in the address is ignored rather than refused: links get mangled on their way. */
export function readProductsSearch(raw: Record<string, unknown>): ProductFilter {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  const search = text(raw.search)
  const category = text(raw.category).toLowerCase()
  return {
    ...(search ? { search } : {}),
    ...(category ? { category } : {}),
    ...(isSort(raw.sort) && raw.sort !== 'featured' ? { sort: raw.sort } : {}),
  }
}
