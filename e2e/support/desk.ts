import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { DESK_SHELF, type Goods } from './database.ts'
import { formOf, type Visitor } from './people.ts'
import { png } from './pictures.ts'
import { newSeller, type Seller, sellerSession } from './seller.ts'
import { open } from './shop.ts'

/** The seller's side of the catalogue, as the calls speak of it. */
export type SellerProduct = {
  _id: string
  slug: string
  name: string
  nameNe: string | null
  description: string
  category: string
  categorySlug: string
  price: number
  rating: number
  reviews: number
  tags: string[]
  stock: number
  image: string
  version: string
}
export type SellerCategory = {
  _id: string
  slug: string
  name: string
  description: string
  totalproducts: number
  version: string
}

export const PRODUCTS = '/api/product/get_seller_products'
const ADD_PRODUCT = '/api/product/add_product'
const UPDATE_PRODUCT = '/api/product/update_product/'
export const DELETE_PRODUCT = '/api/product/delete_product/'
export const CATEGORIES = '/api/category/get_categories'
const ADD_CATEGORY = '/api/category/add_category'

/** A word that no other product, category or order has in it. */
export const unheard = () => `q${randomUUID().replaceAll('-', '').slice(0, 10)}`

/** A product of this test's own. */
export async function addProduct(
  seller: Visitor,
  fields: Record<string, string> = {},
): Promise<SellerProduct> {
  return seller.must(
    'POST',
    ADD_PRODUCT,
    formOf({
      name: `Crate ${unheard()}`,
      description: 'Made for a test.',
      category: DESK_SHELF.name,
      price: '120',
      stock: '42',
      ...fields,
    }),
  )
}

export async function productNow(
  seller: Visitor,
  { slug }: Pick<SellerProduct, 'slug'>,
): Promise<SellerProduct> {
  return seller.must('GET', `/api/product/get_seller_product/${slug}`)
}

/** Changes a product behind everybody's back, as another seller would. */
export async function changeProduct(
  seller: Visitor,
  { slug }: Pick<SellerProduct, 'slug'>,
  fields: Record<string, string>,
): Promise<SellerProduct> {
  return seller.must('PUT', UPDATE_PRODUCT + slug, formOf(fields))
}

const picture = (colour: [number, number, number]) =>
  new Blob([new Uint8Array(png(96, 96, colour))], { type: 'image/png' })

/** A category of this test's own, with both pictures. */
export async function addCategory(
  seller: Visitor,
  fields: Record<string, string> = {},
): Promise<SellerCategory> {
  const form = formOf({ name: `Shelf ${unheard()}`, description: 'Made for a test.', ...fields })
  form.append('image', picture([140, 90, 40]), 'shelf.png')
  form.append('icon', picture([40, 90, 140]), 'icon.png')
  return seller.must('POST', ADD_CATEGORY, form)
}

/** A seller of this test's own who has come to that page of the desk. */
export async function atDesk(page: Page, path: string): Promise<{ seller: Visitor; who: Seller }> {
  const who = newSeller()
  const seller = await sellerSession(who)
  await seller.enter(page.context())
  await open(page, path)
  return { seller, who }
}

/** A product of this test's own, as a cart takes it. */
export async function addGoods(
  seller: Visitor,
  { paisa = 500_00, stock = 42, name = `Crate ${unheard()}` } = {},
): Promise<Goods> {
  const { _id } = await addProduct(seller, { name, price: String(paisa / 100), stock: String(stock) })
  return { id: _id, name, nameNe: '', paisa, stock }
}

/** The word that is in the name of this product or category and of no other. */
export const wordOf = ({ name }: { name: string }) => name.split(' ').at(-1) ?? ''
