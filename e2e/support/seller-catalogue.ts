import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Goods, SELLER_CATEGORY } from './database.ts'
import { formOf, type Visitor } from './people.ts'
import { png } from './pictures.ts'
import { newSeller, type Seller, sellerSession } from './seller.ts'
import { open } from './shop.ts'

/** A product in the seller's API. */
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

const CONSONANTS = 'bcdfghjkmnprstvz'

/** A unique word for names. It has no digits, which a test could take for a price or a number of pieces. */
export function unheard(): string {
  const digits = randomUUID().replaceAll('-', '').slice(0, 10)
  return `q${digits.replace(/./g, (digit) => CONSONANTS[Number.parseInt(digit, 16)] as string)}`
}

/** Creates a product for this test. */
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
      category: SELLER_CATEGORY.name,
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

/** Changes a product like another seller would, without the open page. */
export async function changeProduct(
  seller: Visitor,
  { slug }: Pick<SellerProduct, 'slug'>,
  fields: Record<string, string>,
): Promise<SellerProduct> {
  return seller.must('PUT', UPDATE_PRODUCT + slug, formOf(fields))
}

const picture = (colour: [number, number, number]) =>
  new Blob([new Uint8Array(png(96, 96, colour))], { type: 'image/png' })

/** Creates a category with both pictures for this test. */
export async function addCategory(
  seller: Visitor,
  fields: Record<string, string> = {},
): Promise<SellerCategory> {
  const form = formOf({ name: `Shelf ${unheard()}`, description: 'Made for a test.', ...fields })
  form.append('image', picture([140, 90, 40]), 'shelf.png')
  form.append('icon', picture([40, 90, 140]), 'icon.png')
  return seller.must('POST', ADD_CATEGORY, form)
}

/** Creates a seller for this test and opens that page of the dashboard. */
export async function openDashboard(page: Page, path: string): Promise<{ seller: Visitor; who: Seller }> {
  const who = newSeller()
  const seller = await sellerSession(who)
  await seller.enter(page.context())
  await open(page, path)
  return { seller, who }
}

/** Creates a product for this test in the form that carts use. */
export async function addGoods(
  seller: Visitor,
  { paisa = 500_00, stock = 42, name = `Crate ${unheard()}` } = {},
): Promise<Goods> {
  const { _id } = await addProduct(seller, { name, price: String(paisa / 100), stock: String(stock) })
  return { id: _id, name, nameNe: '', paisa, stock }
}

/** The unique word in the name of this product or category. */
export const wordOf = ({ name }: { name: string }) => name.split(' ').at(-1) ?? ''
