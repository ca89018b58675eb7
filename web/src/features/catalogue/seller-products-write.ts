import { api, dataOf } from '@/api/client'
import { upload } from '@/api/upload'
import {
  dropProduct,
  listsChanged,
  putProduct,
  type SellerProduct,
} from '@/features/catalogue/seller-products-api'
import { shrinkPhoto } from '@/features/media/shrink'

type Progress = (share: number) => void

async function formOf(fields: Record<string, string>, picture: File | null): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (picture) form.append('image', await shrinkPhoto(picture), picture.name)
  return form
}

/** Apart from the reading: whoever only looks at the list does not load how pictures are packed and sent. */
export const productsApi = {
  add: async (fields: Record<string, string>, picture: File | null, onProgress?: Progress) => {
    const form = await formOf(fields, picture)
    const product = await upload<SellerProduct>('POST', '/api/product/add_product', form, onProgress)
    listsChanged()
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
        ? await formOf({ ...fields, removeImage: 'true' }, null)
        : await formOf(fields, picture)
    const path = `/api/product/update_product/${encodeURIComponent(slug)}`
    const product = await upload<SellerProduct>('PUT', path, form, onProgress)
    await putProduct(product)
    return product
  },
  remove: async (product: SellerProduct) => {
    const { slug } = product
    await dataOf(api.DELETE('/api/product/delete_product/{slug}', { params: { path: { slug } } }))
    await dropProduct(product)
  },
}
