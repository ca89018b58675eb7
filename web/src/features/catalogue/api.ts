// Products and categories: cards, pictures, prices and search for shoppers; lists, forms and spreadsheets for the seller (seller/). Calls
// /api/product and /api/category.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, errorCode, type Schemas, unwrap } from '@/api/client'
import type { Lang } from '@/lib/first-data'

export type Product = Schemas['Product']
export type Category = Schemas['Category']

export const SORTS = ['featured', 'newest', 'name', 'price_asc', 'price_desc', 'rating'] as const
export type Sort = (typeof SORTS)[number]

export type ProductFilter = {
  search?: string
  category?: string
  sort?: Sort
  /** In whole rupees. */
  minPrice?: number
  maxPrice?: number
  inStock?: true
  /** Only products with a sale. */
  discounted?: true
}

const PAGE_SIZE = 24

/** Products of all responses so far, so that the cart can draw a line before its own response arrives. */
const productCache = new Map<string, Product>()

export function cacheProducts(products: Product[]) {
  for (const product of products) productCache.set(product.id, product)
}

const MESSAGES = {
  products: { failed: 'products.failed', error: 'products.error' },
  categories: { failed: 'categories.failed', error: 'categories.error' },
} as const

export const catalogueQueries = {
  categories: () =>
    queryOptions({
      queryKey: ['catalogue', 'categories'],
      queryFn: async ({ signal }) =>
        unwrap(await api.GET('/api/category/get_category_public', { signal })).data,
      meta: MESSAGES.categories,
    }),

  products: (filter: ProductFilter) =>
    infiniteQueryOptions({
      queryKey: ['catalogue', 'products', filter],
      queryFn: async ({ pageParam, signal }) => {
        const query = { ...filter, cursor: pageParam, limit: PAGE_SIZE }
        const page = unwrap(await api.GET('/api/product/get_products', { params: { query }, signal }))
        cacheProducts([...page.data, ...page.matches])
        return page
      },
      initialPageParam: '',
      getNextPageParam: (last) => last.nextCursor,
      meta: MESSAGES.products,
    }),

  /** `null` means that there is no such product. */
  product: (id: string) =>
    queryOptions({
      queryKey: ['catalogue', 'product', id],
      queryFn: async ({ signal }) => {
        try {
          const { data } = unwrap(
            await api.GET('/api/product/get_product/{id}', { params: { path: { id } }, signal }),
          )
          cacheProducts([data.product, ...data.related])
          return data
        } catch (error) {
          if (errorCode(error) === 'product_not_found') return null
          throw error
        }
      },
      // A shopper who comes from a list sees the product at once; the related products follow.
      placeholderData: () => {
        const product = productCache.get(id)
        return product && { product, related: [] }
      },
      meta: MESSAGES.products,
    }),

  byIds: (ids: string[]) =>
    queryOptions({
      queryKey: ['catalogue', 'by-ids', ids],
      queryFn: async ({ signal }) => {
        const query = { ids: ids.join(',') }
        const { data } = unwrap(
          await api.GET('/api/product/get_products_by_ids', { params: { query }, signal }),
        )
        cacheProducts(data)
        return data
      },
      enabled: ids.length > 0,
      placeholderData: (previous) => {
        const known = ids.flatMap((id) => productCache.get(id) ?? [])
        return known.length === ids.length ? known : keepPreviousData(previous)
      },
      meta: MESSAGES.products,
    }),
}

/** Finds a category by its slug in any case, because addresses are also typed by hand. */
export function findCategory(categories: Category[], slug: string): Category | undefined {
  const wanted = slug.toLowerCase()
  return categories.find((category) => category.slug.toLowerCase() === wanted)
}

export function localTags(product: Product, lang: Lang): string[] {
  return lang === 'ne' && product.tagsNe.length > 0 ? product.tagsNe : product.tags
}

/** Every product of this visit. Search suggestions use it, so that they cost no request per character. */
export function cachedProducts(): Iterable<Product> {
  return productCache.values()
}
