import type { Page } from '@playwright/test'
import { allProducts, productPath } from './api.ts'
import { keepInCart } from './bad-day-screens.ts'
import { type BuyingScreen, groceries, lines } from './buying-screens.ts'
import { fillCart, PLACE } from './orders.ts'
import { register, somebody, type Visitor } from './people.ts'
import { sellerSession } from './seller.ts'
import { addProduct, type SellerProduct, unheard } from './seller-catalogue.ts'

/** Extreme data: long names, many tags, no picture, large carts, products that are no longer sold. */

const LONGEST = {
  name: 'Hand-pounded Himalayan Red Beaten Rice from the Terraced Fields of Jumla, Sun-dried',
  nameNe: 'जुम्लाका गरा खेतमा फलेको र हातले कुटेर घाममा सुकाइएको हिमाली रातो चिउरा',
  description:
    'Grown above 2,500 metres, dried in the sun for nine days and pounded by hand in wooden mortars. '.repeat(
      6,
    ),
  tags: 'organic, gluten free, high in fibre, traditional, from Karnali, hand made, small farmers, no additives, family pack, best before six months',
  category: 'Rice & Grains',
  price: '123456.75',
  stock: '3',
  rating: '4.7',
  reviews: '12345',
}

let seller: Promise<Visitor> | undefined
let longest: Promise<SellerProduct> | undefined
const maker = () => {
  seller ??= sellerSession()
  return seller
}
/** The product whose texts are all too long, created once. */
const longOne = () => {
  longest ??= maker().then((made) =>
    addProduct(made, { ...LONGEST, name: `${LONGEST.name} ${unheard().slice(0, 6)}` }),
  )
  return longest
}

/** Deletes it again. */
export async function tidyExtremes() {
  const made = await longest
  longest = undefined
  if (made) await (await maker()).must('DELETE', `/api/product/delete_product/${made.slug}`)
}

const line = (page: Page) => page.locator('[data-testid=cart-line]').first().waitFor()

const cartOf = (name: string, cart: () => Promise<Record<string, number>>): BuyingScreen => ({
  name,
  path: '/about',
  who: 'visitor',
  prepare: async (page) => {
    await keepInCart(page, await cart())
    await page.goto('/cart')
    await line(page)
  },
})

async function one(stocked: (stock: number) => boolean): Promise<{ id: string; stock: number }> {
  const found = (await allProducts()).find(({ stock }) => stocked(stock))
  if (!found) throw new Error('the demo shop has no such stock')
  return found
}

export const EXTREME_SCREENS: BuyingScreen[] = [
  {
    name: 'product-long',
    makes: true,
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const { _id, categorySlug } = await longOne()
      await page.goto(`/product/${categorySlug}/${_id}`)
      await page.locator('.detail h1').waitFor()
    },
  },
  {
    name: 'products-long',
    makes: true,
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const { name } = await longOne()
      await page.goto(`/products?search=${encodeURIComponent(name.split(' ').at(-1) ?? '')}`)
      await page.locator('main article.card').first().waitFor()
    },
  },
  {
    name: 'seller-products-long',
    makes: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      const { name } = await longOne()
      await page.goto(`/seller?search=${encodeURIComponent(name.split(' ').at(-1) ?? '')}`)
      await page.locator('[data-testid=product-row]').first().waitFor()
    },
  },
  {
    ...cartOf('cart-long', async () => ({ [(await longOne())._id]: 2 })),
    makes: true,
  },
  cartOf('cart-hundreds', async () =>
    Object.fromEntries(lines(await groceries(), 30, 30, 30, 30, 30, 30).map(([{ id }, n]) => [id, n])),
  ),
  cartOf('cart-sold-out', async () => {
    const [fine] = await groceries()
    return { [(await one((stock) => stock === 0)).id]: 2, [fine?.id ?? '']: 1 }
  }),
  cartOf('cart-short', async () => {
    const few = await one((stock) => stock > 0 && stock < 10)
    return { [few.id]: few.stock + 3 }
  }),
  cartOf('cart-gone', async () => {
    const [fine] = await groceries()
    return { '00000000-0000-7000-8000-000000000000': 1, [fine?.id ?? '']: 1 }
  }),
  {
    name: 'cart-merged',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const goods = await groceries()
      const session = await register(somebody('Asha Rai'))
      await fillCart(session, lines(goods, 1))
      await keepInCart(page, { [goods[1]?.id ?? '']: 2 })
      await session.enter(page.context())
      await page.goto('/cart')
      await page.locator('[data-testid=cart-notice]').waitFor()
    },
  },
  {
    name: 'cart-dearer',
    path: '/cart',
    who: 'buyer',
    prepare: async (page) => {
      const quote = { subtotal: 1200, shippingFee: 0, tax: 156, total: 1356 }
      const message = 'The price has changed.'
      await page.route(`**${PLACE}`, (route) =>
        route.fulfill({
          status: 409,
          json: { success: false, code: 'price_changed', message, data: { quote } },
        }),
      )
      await line(page)
      await page.locator('.order-submit button:enabled').click()
      await page.locator('[data-testid=order-problem]').waitFor()
    },
  },
  {
    name: 'product-in-cart',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const found = (await allProducts()).find(({ stock }) => stock > 10)
      if (!found) throw new Error('the demo shop is empty')
      await keepInCart(page, { [found.id]: 2 })
      await page.goto(productPath(found))
      await page.locator('.detail h1').waitFor()
    },
  },
]
