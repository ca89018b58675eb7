import type { Page } from '@playwright/test'
import { type BuyingScreen, groceries, lines } from './buying-screens.ts'
import type { Goods } from './database.ts'
import { fillCart, type Order, order as placeOrder, setStatus } from './orders.ts'
import { register, somebody, type Visitor } from './people.ts'
import { sellerSession } from './seller.ts'
import { addProduct, unheard } from './seller-catalogue.ts'

type Replacement = { product: string; price: number }

/** A confirmed order of four products. */
async function confirmed(): Promise<{ shopper: Visitor; seller: Visitor; placed: Order }> {
  const shopper = await register(somebody('Asha Rai'))
  const seller = await sellerSession()
  const placed = await placeOrder(shopper, lines(await groceries(), 2, 1, 3, 1))
  await setStatus(seller, placed, 'Order Confirmed')
  return { shopper, seller, placed }
}

/** What a packer reports: one unit of the first product is missing, and the second one is replaced by the dearest offer. */
async function report(seller: Visitor, { _id, items }: Order) {
  const offers = await seller.must<Replacement[]>('GET', `/api/packing/get_replacements/${items[1]?._id}`)
  const [dearest] = offers.sort((one, other) => other.price - one.price)
  return {
    orderId: _id,
    lines: items.map(({ _id: product, quantity }, index) => {
      if (index > 1) return { product, packed: quantity }
      const packed = index === 0 ? quantity - 1 : 0
      const replacement = { product: dearest?.product, quantity }
      return { product, packed, reason: 'not_available', ...(index === 1 ? { replacement } : {}) }
    }),
  }
}

async function openOrder(page: Page) {
  const { placed } = await confirmed()
  await page.goto(`/seller/packing?order=${placed._id}`)
  await page.locator('[data-testid=packing-line]').first().waitFor()
}

/** A product that is sold by weight, in steps of 500 g. */
async function potatoes(seller: Visitor): Promise<Goods> {
  const nameNe = 'मुडे आलु'
  const { _id, name } = await addProduct(seller, {
    name: `Mude Potatoes ${unheard()}`,
    category: 'Fresh Vegetables',
    nameNe,
    price: '45',
    // Other screens take products of which there is more.
    stock: '20',
    unitAmount: '500',
    unitMeasure: 'g',
    soldByWeight: 'yes',
  })
  return { id: _id, name, nameNe, paisa: 45_00, stock: 20 }
}

/** A confirmed order with goods that are sold by weight (`byWeight`). */
async function weighed(): Promise<{ shopper: Visitor; seller: Visitor; placed: Order; byWeight: string }> {
  const shopper = await register(somebody('Asha Rai'))
  const seller = await sellerSession()
  const sold = await potatoes(seller)
  const placed = await placeOrder(shopper, [...lines(await groceries(), 2), [sold, 3]])
  await setStatus(seller, placed, 'Order Confirmed')
  return { shopper, seller, placed, byWeight: sold.id }
}

async function openCard(page: Page, shopper: Visitor, part: string) {
  await shopper.enter(page.context())
  await page.goto('/orders')
  await page.locator('[data-testid=order-card] .order-head').first().click()
  await page.locator(`[data-testid=${part}]`).waitFor()
}

/** Packing, and what the shopper sees of it. */
export const PACKING_SCREENS: BuyingScreen[] = [
  {
    name: 'seller-packing',
    ordinary: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      await confirmed()
      await page.goto('/seller/packing')
      await page.locator('[data-testid=order-to-pack]').first().waitFor()
    },
  },
  {
    name: 'seller-packing-order',
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      await openOrder(page)
      for (const index of [0, 1]) await page.locator('[data-testid=packing-line]').nth(index).click()
    },
  },
  {
    name: 'seller-packing-line',
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      await openOrder(page)
      await page.locator('.packing-edit').first().click()
      await page.locator('dialog .packing-offers button').first().click()
    },
  },
  {
    name: 'orders-packed',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const { shopper, seller, placed } = await confirmed()
      await seller.must('POST', '/api/packing/finish', await report(seller, placed))
      await openCard(page, shopper, 'packed')
    },
  },
  {
    name: 'orders-packing-question',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const { shopper, seller, placed } = await confirmed()
      const told = await report(seller, placed)
      const [first, ...others] = told.lines
      const all = { product: first?.product, packed: placed.items[0]?.quantity }
      await seller.must('POST', '/api/packing/ask_question', { ...told, lines: [all, ...others] })
      await openCard(page, shopper, 'packing-question')
    },
  },
  {
    name: 'cart-weighed',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const shopper = await register(somebody('Asha Rai'))
      await fillCart(shopper, [[await potatoes(await sellerSession()), 3], ...lines(await groceries(), 1)])
      await shopper.enter(page.context())
      await page.goto('/cart')
      await page.locator('[data-testid=cart-line]').first().waitFor()
    },
  },
  {
    name: 'seller-packing-weighed',
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      const { placed } = await weighed()
      await page.goto(`/seller/packing?order=${placed._id}`)
      await page.locator('.packing-weight input').fill('1620')
    },
  },
  {
    name: 'orders-packed-weighed',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const { shopper, seller, placed, byWeight } = await weighed()
      const report = placed.items.map(({ _id: product, quantity }) => ({
        product,
        packed: quantity,
        ...(product === byWeight ? { grams: 1620 } : {}),
      }))
      await seller.must('POST', '/api/packing/finish', { orderId: placed._id, lines: report })
      await openCard(page, shopper, 'packed')
    },
  },
]
