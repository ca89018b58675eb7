import { expect, type Page } from '@playwright/test'
import { fiveHundred, type Goods } from './database.ts'
import { addHome, fillCart } from './orders.ts'
import type { Visitor } from './people.ts'
import { open } from './shop.ts'

export const placeOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' })
export const cash = (page: Page) => page.getByRole('radio', { name: /^Cash on Delivery \(COD\)/ })
export const online = (page: Page) => page.getByRole('radio', { name: /^Online/ })
export const khalti = (page: Page) => page.getByRole('radio', { name: /Khalti/ })

/** Somebody with an address and these goods in the cart, who has come to /cart. */
export async function atCheckout(
  page: Page,
  session: Visitor,
  lines: [Goods, number][] = [[fiveHundred(), 1]],
) {
  await addHome(session)
  await fillCart(session, lines)
  await open(page, '/cart')
  await expect(placeOrder(page)).toBeEnabled()
}

/** The same, who wants to pay with Khalti. */
export async function withKhalti(page: Page, session: Visitor, lines?: [Goods, number][]) {
  await atCheckout(page, session, lines)
  await chooseKhalti(page)
}

export async function chooseKhalti(page: Page) {
  await online(page).check()
  await khalti(page).check()
}
