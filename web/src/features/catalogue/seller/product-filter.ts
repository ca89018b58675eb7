import {
  type SellerProductFilter,
  type SellerProductSort,
  STOCK_FILTERS,
  type StockFilter,
} from '@/features/catalogue/seller/products-api'

/** What each filter can be sorted by; the first is the usual one. What is nearly gone comes by how little is left. */
export const SORTS: Record<StockFilter, SellerProductSort[]> = {
  all: ['newest', 'name', 'price_asc', 'price_desc'],
  low: ['stock', 'newest', 'name', 'price_asc', 'price_desc'],
  out: ['stock', 'newest', 'name', 'price_asc', 'price_desc'],
}

/** Anything else in the address is ignored rather than refused. */
export function parseProductFilter(raw: Record<string, unknown>): SellerProductFilter {
  const text = (value: unknown) => (value === undefined || value === null ? '' : String(value).trim())
  const stock = STOCK_FILTERS.find((each) => each === raw.stock) ?? 'all'
  const sort = SORTS[stock].find((each) => each === raw.sort)
  return { search: text(raw.search), stock, sort: sort ?? (SORTS[stock][0] as SellerProductSort) }
}

/** As the address holds it: only what differs from the usual. */
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

/** What pressing a column's head leads to: its order, the order backwards where there is one, then the usual one again. */
export function nextSort(column: Column, { stock, sort }: SellerProductFilter): SellerProductSort {
  const usual = SORTS[stock][0] as SellerProductSort
  if (column === 'stock') return sort === 'stock' ? 'newest' : 'stock'
  if (column === 'name') return sort === 'name' ? usual : 'name'
  if (sort === 'price_asc') return 'price_desc'
  return sort === 'price_desc' ? usual : 'price_asc'
}
