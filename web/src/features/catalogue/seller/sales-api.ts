import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { type SellerProduct, updateProductInLists } from '@/features/catalogue/seller/products-api'

export type Sale = Schemas['Sale']
type SaleInput = Schemas['AddSaleRequest']

const key = (slug: string) => ['seller', 'sales', slug]

export const salesOf = (slug: string) =>
  queryOptions({
    queryKey: key(slug),
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/product/get_sales/{slug}', { params: { path: { slug } }, signal })),
    staleTime: 0,
  })

/** Shows the new list at once, and the product with the price that it has now. */
async function show(slug: string, sales: Sale[]): Promise<SellerProduct> {
  queryClient.setQueryData(key(slug), sales)
  const params = { path: { slug } }
  const product = await unwrapData(api.GET('/api/product/get_seller_product/{slug}', { params }))
  await updateProductInLists(product)
  return product
}

export const salesApi = {
  add: async (slug: string, body: SaleInput) =>
    show(
      slug,
      await unwrapData(api.POST('/api/product/add_sale/{slug}', { params: { path: { slug } }, body })),
    ),
  end: async (slug: string, saleId: string) =>
    show(slug, await unwrapData(api.POST('/api/product/end_sale', { body: { saleId } }))),
}
