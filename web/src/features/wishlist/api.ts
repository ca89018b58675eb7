// What a shopper wants to buy later or again: favourites, products bought before or by others, and back-in-stock
// notices. Calls /api/wishlist.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { USER_KEY } from '@/features/accounts/sign-in-out'
import { cacheProducts, catalogueQueries } from '@/features/catalogue/api'

export type Wishlist = Schemas['Wishlist']

/** How many favourites are loaded at a time. */
const PAGE_SIZE = 24

export const wishlistQueries = {
  /** Only this browser's actions change it, apart from other devices. */
  marked: queryOptions({
    queryKey: [USER_KEY, 'wishlist'],
    queryFn: ({ signal }) => unwrapData(api.GET('/api/wishlist', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  buyAgain: queryOptions({
    queryKey: [USER_KEY, 'buy-again'],
    queryFn: ({ signal }) => unwrapData(api.GET('/api/wishlist/buy_again', { signal })),
  }),
  /** What others buy at the moment. The page is complete without it, so a failure is silent. */
  popular: queryOptions({
    queryKey: ['popular'],
    queryFn: async ({ signal }) => {
      const products = await unwrapData(api.GET('/api/wishlist/popular', { signal }))
      cacheProducts(products)
      return products
    },
  }),
  /** The products with these ids, page by page. A failed page shows the message of the catalogue. */
  products: (ids: string[]) =>
    infiniteQueryOptions({
      queryKey: [USER_KEY, 'favourite-products', ids],
      queryFn: ({ pageParam }) =>
        queryClient.fetchQuery(catalogueQueries.byIds(ids.slice(pageParam, pageParam + PAGE_SIZE))),
      initialPageParam: 0,
      getNextPageParam: (_page, _pages, last) =>
        last + PAGE_SIZE < ids.length ? last + PAGE_SIZE : undefined,
    }),
}

const path = (product: string) => ({ params: { path: { product } } })

export const wishlistApi = {
  favourites: (id: string, wanted: boolean) =>
    unwrapData(
      wanted
        ? api.PUT('/api/wishlist/favourites/{product}', path(id))
        : api.DELETE('/api/wishlist/favourites/{product}', path(id)),
    ),
  stockNotices: (id: string, wanted: boolean) =>
    unwrapData(
      wanted
        ? api.PUT('/api/wishlist/stock_notices/{product}', path(id))
        : api.DELETE('/api/wishlist/stock_notices/{product}', path(id)),
    ),
}
