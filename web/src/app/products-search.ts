import { type ProductFilter, SORTS, type Sort } from '@/features/catalogue/api'

function isSort(text: unknown): text is Sort {
  return SORTS.some((sort) => sort === text)
}

/** Reads the parameters of `/products?…`. Unknown ones are ignored, because shared links often get mangled. */
export function readProductsSearch(raw: Record<string, unknown>): ProductFilter {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  const search = text(raw.search)
  const category = text(raw.category).toLowerCase()
  const rupees = (name: 'minPrice' | 'maxPrice') =>
    /^[1-9]\d{0,6}$/.test(String(raw[name])) ? { [name]: Number(raw[name]) } : {}
  return {
    ...(search ? { search } : {}),
    ...(category ? { category } : {}),
    ...(isSort(raw.sort) && raw.sort !== 'featured' ? { sort: raw.sort } : {}),
    ...rupees('minPrice'),
    ...rupees('maxPrice'),
    ...(String(raw.inStock) === 'true' ? { inStock: true } : {}),
  }
}
