import { formOf, type Visitor } from './people.ts'
import { png } from './pictures.ts'
import { sellerSession } from './seller.ts'
import { addProduct, type SellerProduct, unheard } from './seller-catalogue.ts'

/** Creates products that no other test sells or changes. `word` is in all of their names and in no other. */
export async function ownProducts(
  names: string[],
  fields: Record<string, string> = {},
): Promise<{ word: string; products: SellerProduct[]; seller: Visitor }> {
  const word = unheard()
  const seller = await sellerSession()
  const products: SellerProduct[] = []
  for (const name of names) products.push(await addProduct(seller, { name: `${name} ${word}`, ...fields }))
  return { word, products, seller }
}

/** Uploads a picture for a product. */
export async function addPicture(seller: Visitor, { slug }: Pick<SellerProduct, 'slug'>): Promise<void> {
  const image = new Blob([new Uint8Array(png(320, 320, [140, 90, 40]))], { type: 'image/png' })
  await seller.must('PUT', `/api/product/update_product/${slug}`, formOf({ image }))
}

export const pathOf = ({ categorySlug, _id }: SellerProduct) => `/product/${categorySlug}/${_id}`
