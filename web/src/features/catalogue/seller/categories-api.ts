import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { upload } from '@/api/upload'
import type { CategoryPictures } from '@/features/catalogue/seller/category-values'
import { resizePhoto } from '@/features/media/resize-photo'

export type SellerCategory = Schemas['ApiResponse_SellerCategory']['data']

const KEY = ['seller', 'categories']

export const sellerCategories = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => unwrapData(api.GET('/api/category/get_categories', { signal })),
    staleTime: 0,
    meta: {
      failed: 'seller.categories.fetchFailed',
      error: 'seller.categories.loadFailed',
      unauthorized: 'seller.categories.unauthorized',
    },
  })

async function toFormData(fields: Record<string, string>, pictures: CategoryPictures): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const name of ['image', 'icon'] as const) {
    const file = pictures[name]
    // Icons are often transparent, and a JPEG would make their background white.
    if (file) form.append(name, name === 'icon' ? file : await resizePhoto(file), file.name)
  }
  return form
}

type Progress = (share: number) => void
const address = (slug: string) => `/api/category/update_category/${encodeURIComponent(slug)}`

export const categoriesApi = {
  add: async (fields: Record<string, string>, pictures: CategoryPictures, onProgress?: Progress) => {
    const form = await toFormData(fields, pictures)
    const category = await upload<SellerCategory>('POST', '/api/category/add_category', form, onProgress)
    await updateCategoryList((all) => [...all, category])
    return category
  },
  update: async (
    slug: string,
    fields: Record<string, string>,
    pictures: CategoryPictures,
    onProgress?: Progress,
  ) => {
    const form = await toFormData(fields, pictures)
    const category = await upload<SellerCategory>('PUT', address(slug), form, onProgress)
    await updateCategoryList((all) => all.map((each) => (each._id === category._id ? category : each)))
    return category
  },
  remove: async ({ _id, slug }: SellerCategory) => {
    await unwrapData(api.DELETE('/api/category/delete_category/{slug}', { params: { path: { slug } } }))
    await updateCategoryList((all) => all.filter((each) => each._id !== _id))
  },
}

/**
 * Updates the list at once; a fetch that is already running may return the old list, so it is repeated. Products
 * contain their category's name, so they are refetched when they are shown next.
 */
async function updateCategoryList(list: (all: SellerCategory[]) => SellerCategory[]) {
  const asking = queryClient.isFetching({ queryKey: KEY }) > 0
  await queryClient.cancelQueries({ queryKey: KEY })
  queryClient.setQueryData<SellerCategory[]>(KEY, (all) => all && list(all))
  void queryClient.invalidateQueries({ queryKey: ['seller', 'products'], refetchType: 'none' })
  void queryClient.invalidateQueries({ queryKey: ['catalogue'], refetchType: 'none' })
  if (asking) void refetchCategories()
}

export const refetchCategories = () => queryClient.invalidateQueries({ queryKey: KEY })
