import type { Page } from '@playwright/test'
import { allProducts, type Product } from './api.ts'
import { type Goods, SELLER_CATEGORY } from './database.ts'
import { addHome, fillCart, order, PLACE, setStatus } from './orders.ts'
import { payer } from './paying-screens.ts'
import { HOME_ADDRESS, register, somebody, type Visitor } from './people.ts'
import type { PeopleScreen } from './people-screens.ts'
import { newSeller, sellerSession } from './seller.ts'

/** Carts and orders in all states. */
export type BuyingScreen = Omit<PeopleScreen, 'who'> & { who: PeopleScreen['who'] | Buyer }
export type Buyer = 'buyer' | 'newcomer' | 'seller' | 'payer' | 'cashier'

/** Products for screenshots: real ones with plenty of stock, which no other test uses. */
export async function groceries(): Promise<Goods[]> {
  const many = (await allProducts()).filter(
    ({ stock, categorySlug }) => stock > 30 && categorySlug !== SELLER_CATEGORY.slug,
  )
  if (many.length < 12) throw new Error('the demo shop is too small')
  return many.slice(-6).map(({ id, name, nameNe, price, stock }: Product) => ({
    id,
    name,
    nameNe: nameNe ?? '',
    paisa: Math.round(price * 100),
    stock,
  }))
}

export const lines = (goods: Goods[], ...quantities: number[]): [Goods, number][] =>
  quantities.map((quantity, n) => {
    const each = goods[n % goods.length]
    if (!each) throw new Error('no goods')
    return [each, quantity]
  })

/** A shopper with two addresses, a full cart, and an order in each state that looks different. */
async function buyer(): Promise<Visitor> {
  const goods = await groceries()
  const session = await register(somebody('Ram Bahadur Karki'))
  const seller = await sellerSession(newSeller())
  await addHome(session)
  await session.must('POST', '/api/address/add_address', {
    ...HOME_ADDRESS,
    address: 'Office',
    street: 'Durbarmarg 1',
  })
  for (const [n, statuses] of (
    [
      ['Order Confirmed', 'Order Shipped', 'Delivered'],
      ['Cancelled'],
      ['Order Confirmed', 'Out for Delivery'],
      [],
    ] as const
  ).entries()) {
    const placed = await order(session, lines(goods.slice(n), 1, 2, 1))
    for (const status of statuses) await setStatus(seller, placed, status)
  }
  await fillCart(session, lines(goods, 2, 1, 3))
  return session
}

async function newcomer(): Promise<Visitor> {
  const session = await register(somebody('Maya Gurung'))
  await fillCart(session, lines(await groceries(), 1))
  return session
}

/** A seller with orders. */
async function sellerWithOrders(): Promise<Visitor> {
  await sessionOf('buyer')
  return sellerSession(newSeller())
}

/** A seller with payments. */
async function cashier(): Promise<Visitor> {
  await sessionOf('payer')
  return sellerSession(newSeller())
}

const MAKERS: Record<Buyer, () => Promise<Visitor>> = {
  buyer,
  newcomer,
  seller: sellerWithOrders,
  payer,
  cashier,
}
const sessions = new Map<Buyer, Promise<Visitor>>()

/** Created once for all screens of a worker. */
function sessionOf(who: Buyer): Promise<Visitor> {
  const session = sessions.get(who) ?? MAKERS[who]()
  sessions.set(who, session)
  return session
}

export const isBuyer = (who: BuyingScreen['who']): who is Buyer => who in MAKERS

export async function enterAsBuyer(page: Page, who: Buyer) {
  await (await sessionOf(who)).enter(page.context())
}

const line = (page: Page) => page.locator('[data-testid=cart-line]').first().waitFor()
const press = (page: Page) => page.locator('.order-submit button:enabled').click()

async function openFirstCard(page: Page) {
  await page.locator('[data-testid=order-card] h2 button').first().click()
  await page.locator('[data-testid=order-card] time').last().waitFor()
}

export const BUYING_SCREENS: BuyingScreen[] = [
  {
    name: 'cart-checkout',
    ordinary: true,
    path: '/cart',
    who: 'buyer',
    prepare: async (page) => {
      await line(page)
      await page.locator('.order-submit button:enabled').waitFor()
    },
  },
  { name: 'cart-no-address', ordinary: true, path: '/cart', who: 'newcomer', prepare: line },
  {
    name: 'cart-visitor',
    path: '/cart',
    who: 'visitor',
    prepare: async (page) => {
      const cart = Object.fromEntries(
        lines(await groceries(), 1, 2).map(([{ id }, quantity]) => [id, quantity]),
      )
      await page.evaluate((text) => localStorage.setItem('thunse.cart', text), JSON.stringify(cart))
      await page.reload()
      await line(page)
    },
  },
  {
    name: 'cart-online',
    path: '/cart',
    who: 'buyer',
    prepare: async (page) => {
      await line(page)
      await page.locator('#payment input[type=radio]').last().check()
      await page.locator('#payment .choices-inner').waitFor()
    },
  },
  {
    name: 'cart-refused',
    path: '/cart',
    who: 'buyer',
    prepare: async (page) => {
      const [short, gone] = await groceries()
      const products = [
        { _id: short?.id, name: short?.name, nameNe: short?.nameNe, available: 1 },
        { _id: gone?.id, name: gone?.name, nameNe: gone?.nameNe, available: 0 },
      ]
      const message = `Only 1 left of ${short?.name}. ${gone?.name} is sold out.`
      await page.route(`**${PLACE}`, (route) =>
        route.fulfill({
          status: 409,
          json: { success: false, code: 'out_of_stock', message, data: { products } },
        }),
      )
      await line(page)
      await press(page)
      await page.locator('[data-testid=order-problem]').waitFor()
    },
  },
  { name: 'orders', ordinary: true, path: '/orders', who: 'buyer', prepare: openFirstCard },
  {
    name: 'orders-no-match',
    path: '/orders',
    who: 'buyer',
    prepare: async (page) => {
      await page.locator('main input[type=search]').fill('xyzzy')
      await page.locator('[data-testid=order-card]').first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'orders-cancel',
    path: '/orders',
    who: 'buyer',
    prepare: async (page) => {
      await openFirstCard(page)
      await page.locator('.order-body button').last().click()
      await page.locator('dialog[open] button').first().waitFor()
    },
  },
  { name: 'seller-orders', ordinary: true, path: '/seller/orders', who: 'seller', prepare: openFirstCard },
  {
    name: 'seller-orders-no-match',
    path: '/seller/orders',
    who: 'seller',
    prepare: async (page) => {
      await page.locator('[data-testid=order-card]').first().waitFor()
      await page.locator('main input[type=search]').fill('xyzzy')
      await page.locator('[data-testid=order-card]').first().waitFor({ state: 'detached' })
    },
  },
]
