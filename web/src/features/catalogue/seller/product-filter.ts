import {
  type SellerProductFilter,
  type SellerProductSort,
  STOCK_FILTERS,
  type StockFilter,
} from '@/features/catalogue/seller/products-api'

/** The sort orders of each filter; the first is the default. Low stock is sorted by what is left. */
export const SORTS: Record<StockFilter, SellerProductSort[]> = {
  all: ['newest', 'name', 'price_asc', 'price_desc'],
  low: ['stock', 'newest', 'name', 'price_asc', 'price_desc'],
  out: ['stock', 'newest', 'name', 'price_asc', 'price_desc'],
}

/** Unknown values in the address are ignored, not refused. */
export function parseProductFilter(raw: Record<string, unknown>): SellerProductFilter {
  const text = (value: unknown) => (value === undefined || value === null ? '' : String(value).trim())
  const stock = STOCK_FILTERS.find((each) => each === raw.stock) ?? 'all'
  const sort = SORTS[stock].find((each) => each === raw.sort)
  return { search: text(raw.search), stock, sort: sort ?? (SORTS[stock][0] as SellerProductSort) }
}

/** Writes the filter to the address, without default values. */
export function serializeProductFilter({ search, stock, sort }: SellerProductFilter): Record<string, string> {
  return {
    ...(search ? { search } : {}),
    ...(stock === 'all' ? {} : { stock }),
    ...(sort === SORTS[stock][0] ? {} : { sort }),
  }
}

type Column = 'name' | 'price' | 'stock'
export type Direction = 'ascending' | 'descending' | 'none'

export const directionOf = (column: Column, sort: SellerProductSort): Direction => {
  if (sort === 'price_desc') return column === 'price' ? 'descending' : 'none'
  return sort === column || (column === 'price' && sort === 'price_asc') ? 'ascending' : 'none'
}

/** The next sort order after a press on a column's heading: ascending, descending if available, then the default. */
export function nextSort(column: Column, { stock, sort }: SellerProductFilter): SellerProductSort {
  const usual = SORTS[stock][0] as SellerProductSort
  if (column === 'stock') return sort === 'stock' ? 'newest' : 'stock'
  if (column === 'name') return sort === 'name' ? usual : 'name'
  if (sort === 'price_asc') return 'price_desc'
  return sort === 'price_desc' ? usual : 'price_asc'
}
