import { expect, type Locator, type Page } from '@playwright/test'
import type { Goods } from './database.ts'
import { addHome, fillCart } from './orders.ts'
import type { Person, Visitor } from './people.ts'
import { sellerSession } from './seller.ts'
import {
  addProduct,
  changeProduct,
  DELETE_PRODUCT,
  productNow,
  type SellerProduct,
} from './seller-catalogue.ts'
import { open } from './shop.ts'

/** Products that only one test buys, changes and deletes. */
export type OwnGoods = Goods & Pick<SellerProduct, 'slug'>

let seller: Promise<Visitor> | undefined
/** The seller of this worker's tests: one session, because each login takes a second. */
export const ownSeller = () => (seller ??= sellerSession())

export async function newGoods({ paisa = 100_00, stock = 5 } = {}): Promise<OwnGoods> {
  const made = await addProduct(await ownSeller(), { price: String(paisa / 100), stock: String(stock) })
  return { id: made._id, slug: made.slug, name: made.name, nameNe: made.nameNe ?? made.name, paisa, stock }
}

export const setPrice = async (goods: OwnGoods, paisa: number) =>
  changeProduct(await ownSeller(), goods, { price: String(paisa / 100) })

export const setStock = async (goods: OwnGoods, stock: number) =>
  changeProduct(await ownSeller(), goods, { stock: String(stock) })

export const stockOf = async (goods: OwnGoods) => (await productNow(await ownSeller(), goods)).stock

export const stopSelling = async ({ slug }: OwnGoods) =>
  (await ownSeller()).must('DELETE', DELETE_PRODUCT + slug)

/** Finds the card of a product by its name, like a shopper. */
export async function findCard(page: Page, { name }: Goods): Promise<Locator> {
  await open(page, `/products?search=${encodeURIComponent(name)}`)
  return page.locator('article.card').filter({ has: page.getByRole('link', { name, exact: true }) })
}

/** Fills in and submits the open login dialog. */
export async function logInWith(dialog: Locator, { email, password }: Pick<Person, 'email' | 'password'>) {
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
}

export const placeOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' })
export const cash = (page: Page) => page.getByRole('radio', { name: /^Cash on Delivery \(COD\)/ })
export const online = (page: Page) => page.getByRole('radio', { name: /^Online/ })
export const khalti = (page: Page) => page.getByRole('radio', { name: /Khalti/ })

/** Opens /cart for a shopper with an address and these products in the cart. */
export async function atCheckout(page: Page, session: Visitor, lines?: [Goods, number][]) {
  await addHome(session)
  await fillCart(session, lines ?? [[await newGoods(), 1]])
  await open(page, '/cart')
  await expect(placeOrder(page)).toBeEnabled()
}

/** The same, with Khalti as the payment method. */
export async function withKhalti(page: Page, session: Visitor, lines?: [Goods, number][]) {
  await atCheckout(page, session, lines)
  await chooseKhalti(page)
}

export async function chooseKhalti(page: Page) {
  await online(page).check()
  await khalti(page).check()
}
