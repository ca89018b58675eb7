import { api, type Schemas, unwrapData } from '@/api/client'
import { upload } from '@/api/upload'
import {
  invalidateProductLists,
  removeProductFromLists,
  type SellerProduct,
  updateProductInLists,
} from '@/features/catalogue/seller/products-api'
import { resizePhoto } from '@/features/media/resize-photo'

type Progress = (share: number) => void

async function toFormData(fields: Record<string, string>, picture: File | null): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (picture) form.append('image', await resizePhoto(picture), picture.name)
  return form
}

/** Separate from the queries, so that the list does not load the code that resizes and uploads pictures. */
export const productsApi = {
  add: async (fields: Record<string, string>, picture: File | null, onProgress?: Progress) => {
    const form = await toFormData(fields, picture)
    const product = await upload<SellerProduct>('POST', '/api/product/add_product', form, onProgress)
    invalidateProductLists()
    return product
  },
  update: async (
    slug: string,
    fields: Record<string, string>,
    picture: File | 'remove' | null = null,
    onProgress?: Progress,
  ) => {
    const form =
      picture === 'remove'
        ? await toFormData({ ...fields, removeImage: 'true' }, null)
        : await toFormData(fields, picture)
    const path = `/api/product/update_product/${encodeURIComponent(slug)}`
    const product = await upload<SellerProduct>('PUT', path, form, onProgress)
    await updateProductInLists(product)
    return product
  },
  uploadPicture: async (file: File, onProgress?: Progress) =>
    upload<Schemas['Picture']>('POST', '/api/product/upload_picture', await toFormData({}, file), onProgress),
  remove: async (product: SellerProduct) => {
    const { slug } = product
    await unwrapData(api.DELETE('/api/product/delete_product/{slug}', { params: { path: { slug } } }))
    await removeProductFromLists(product)
  },
}
