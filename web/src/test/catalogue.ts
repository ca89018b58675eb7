import type { Category, Product } from '@/features/catalogue/api'
import { type mockServer, ok, refused, serverFailed } from '@/test/server'

export const PRODUCTS = 'GET /api/product/get_products'
export const PRODUCT = 'GET /api/product/get_product/p-oil'
export const CATEGORIES = 'GET /api/category/get_category_public'

type Table = Parameters<typeof mockServer>[0]
type Lists = { matches?: Product[]; similar?: Product[]; nextCursor?: string | null; total?: number }

/** A page of products as the server sends it. */
export const productList = (
  data: Product[],
  { matches = [], similar = [], nextCursor = null, total = data.length + matches.length }: Lists = {},
) => ({
  body: { success: true, message: '', data, matches, similar, nextCursor, total, totalCapped: false },
})

/** A catalogue whose products and categories fit into one response. */
export const catalogue = (products: Product[], categories: Category[] = []): Table => ({
  [PRODUCTS]: productList(products),
  [CATEGORIES]: ok(categories),
})

/** The ways in which a list can fail, with the beginning of the message. */
export const FAILURES = [
  ['a refusal', refused(400, 'x', 'no'), 'Failed to fetch'],
  ['an unsuccessful answer', { body: { success: false, message: 'no' } }, 'Failed to fetch'],
  ['a server error', serverFailed, 'Error fetching'],
  ['no network', 'no network', 'Error fetching'],
] as const
