import type { Page } from '@playwright/test'
import { type BuyingScreen, groceries, lines } from './buying-screens.ts'
import { order as placeOrder, SET_STATUS } from './orders.ts'
import { HOME_ADDRESS, register, somebody, type Visitor } from './people.ts'
import { png, zip } from './pictures.ts'
import { sellerSession } from './seller.ts'
import {
  addProduct,
  changeProduct,
  DELETE_PRODUCT,
  PRODUCTS,
  type SellerProduct,
  unheard,
} from './seller-catalogue.ts'

/** A category of the demo shop, so that the screens look realistic. */
const CATEGORY = 'Fresh Fruits'

/**
 * The seller dashboard in all states. Screens are identified without texts, because they are checked in both languages.
 */
const row = (page: Page) => page.locator('[data-testid=product-row]').first().waitFor()
const order = (page: Page) => page.locator('[data-testid=order-card]').first().waitFor()

let maker: Promise<Visitor> | undefined
/** Another seller, who creates the data of the screens. */
const other = () => {
  maker ??= sellerSession()
  return maker
}

const MADE = ['Mustang Apples', 'Ilam Tea', 'Sindhuli Junar', 'Palpa Coffee']
/** Removes the data of the screens, so that one screenshot does not show that of another. */
export async function tidy() {
  const seller = await other()
  for (const name of MADE) {
    const found = await seller.must<SellerProduct[]>(
      'GET',
      `${PRODUCTS}?limit=100&${new URLSearchParams({ search: `${name} q` })}`,
    )
    for (const { slug } of found) await seller.must('DELETE', DELETE_PRODUCT + slug)
  }
}

/** A product with a value in every field, alone in the list. */
async function atOwnProduct(page: Page, tags = 'fresh, Mustang'): Promise<SellerProduct> {
  const word = unheard().slice(0, 6)
  const product = await addProduct(await other(), {
    name: `Mustang Apples ${word}`,
    description: 'Crisp apples from the orchards of Marpha.',
    category: CATEGORY,
    tags,
    rating: '4.6',
    reviews: '12',
  })
  await page.goto(`/seller?search=${word}`)
  await row(page)
  return product
}

async function openEdit(page: Page, tags?: string) {
  const product = await atOwnProduct(page, tags)
  await page.locator('[data-testid=product-row] .row-actions button').first().click()
  await page.locator('#edit-product-price').waitFor()
  return product
}

async function openCategory(page: Page) {
  await page.locator('[data-testid=category-row]').first().waitFor()
  await page.locator('.list-tools button.button-primary').click()
  await page.locator('#category-name').waitFor()
}

/** A checked import: new, changed and unchanged rows, and rows with errors on request. */
async function sendFile(page: Page, errors: boolean) {
  const seller = await other()
  const products: SellerProduct[] = []
  for (const name of MADE.slice(0, 3))
    products.push(await addProduct(seller, { name: `${name} ${unheard().slice(0, 4)}`, category: CATEGORY }))
  const [first, second, third] = products
  const lines = [
    'slug,name,category,price,stock',
    `${first?.slug},${first?.name},${CATEGORY},135,42`,
    `${second?.slug},${second?.name},${CATEGORY},${errors ? 'cheap' : '120'},42`,
    `${third?.slug},${third?.name} Large,${CATEGORY},120,50`,
    ...(errors ? [`,,404,-4,1`] : [`,Palpa Coffee ${unheard().slice(0, 4)},${CATEGORY},450,20`]),
  ]
  await page.locator('input[type=file]').setInputFiles({
    name: 'autumn-prices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  })
  await page.locator('[data-testid=import][data-state=checked]').waitFor()
  await page.locator('[data-testid=import-row]').first().waitFor()
}

/** A checked zip file: products with images, one that no row names, and on request one that cannot be used. */
async function sendZip(page: Page, errors: boolean) {
  const first = `Palpa Coffee ${unheard().slice(0, 4)}`
  const lines = [
    'name,category,price,stock,image,more_images',
    `${first},${CATEGORY},450,20,coffee.png,coffee-back.png | coffee-side.png`,
    `Ilam Tea ${unheard().slice(0, 4)},${CATEGORY},180,25,${errors ? 'tea.png' : 'leaves.png'},`,
    ...(errors ? [`Mustang Apples ${unheard().slice(0, 4)},${CATEGORY},220,10,apples.png,`] : []),
  ]
  const shade = Number.parseInt(unheard().slice(0, 4), 36) % 200
  await page.locator('input[type=file]').setInputFiles({
    name: 'autumn-goods.zip',
    mimeType: 'application/zip',
    buffer: zip({
      'goods.csv': Buffer.from(lines.join('\r\n')),
      'coffee.png': png(320, 320, [140, 47, shade]),
      'coffee-back.png': png(320, 320, [40, shade, 28]),
      'coffee-side.png': png(320, 320, [shade, 90, 60]),
      'leaves.png': png(320, 320, [30, 120, shade]),
      'old-photo-of-the-shop.png': png(32, 32, [0, 0, 0]),
      ...(errors ? { 'tea.png': Buffer.from('not an image') } : {}),
    }),
  })
  await page.locator('[data-testid=import][data-state=checked]').waitFor()
  await page.locator('[data-testid=import-row]').first().waitFor()
  await page.locator('.import-pictures li').first().waitFor()
}

const PLACES = [
  ['Kathmandu', '10', 'Near the temple'],
  ['Lalitpur', '3', ''],
  ['Kathmandu', '9', 'Behind the school'],
  ['Kathmandu', '10', ''],
] as const
let onTheWay: Promise<void> | undefined
/** Orders at four addresses that are delivered today. */
async function sendOut() {
  const seller = await other()
  const today = new Date(Date.now() + 5.75 * 3_600_000).toISOString().slice(0, 10)
  const goods = await groceries()
  for (const [n, [municipality, ward, landmark]] of PLACES.entries()) {
    const session = await register(
      somebody(['Ram Bahadur Karki', 'Maya Gurung', 'Asha Rai', 'Hari Thapa'][n]),
    )
    const street = `${municipality}-${ward}`
    const address = { ...HOME_ADDRESS, street, district: municipality, municipality, ward, landmark }
    const { _id } = await session.must<{ _id: string }>('POST', '/api/address/add_address', address)
    const placed = await placeOrder(session, lines(goods.slice(n), 1, 2), _id)
    await seller.must('PUT', SET_STATUS, {
      orderId: placed._id,
      status: 'Out for Delivery',
      deliveryDate: today,
    })
  }
}

let subscribed: Promise<unknown> | undefined
const subscribe = async () => {
  for (const name of ['maya.gurung', 'asha.rai', 'hari.thapa', 'sita.karki', 'bikash.shrestha'])
    await (await other()).call('POST', '/api/subscriber/add_subscriber', { email: `${name}@example.com` })
}

const print = async (page: Page) => {
  await page.evaluate(() => Object.assign(window, { print: () => undefined }))
  await order(page)
  await page.locator('[data-testid=order-card] h2 button').first().click()
  await page.locator('.order-actions button').first().click()
  await page.locator('[data-testid=slip]').waitFor({ state: 'attached' })
  await page.emulateMedia({ media: 'print' })
}

/** The screens of the dashboard; the six about settings and reports only read, so that parallel tests see no change. */
export const SELLER_SCREENS: BuyingScreen[] = [
  { name: 'seller-products', ordinary: true, path: '/seller', who: 'seller', prepare: row },
  {
    name: 'seller-products-none',
    path: '/seller?search=xyzzy',
    who: 'seller',
    prepare: (page) => page.locator('main .state-panel').waitFor(),
  },
  // Without tags, because the bar with the buttons covers half of them until the page is scrolled.
  {
    name: 'seller-product-edit',
    makes: true,
    path: '/seller',
    who: 'seller',
    prepare: (page) => openEdit(page, ''),
  },
  {
    name: 'seller-product-sale',
    makes: true,
    path: '/seller',
    who: 'seller',
    prepare: async (page) => {
      const { price } = await openEdit(page, '')
      await page.locator('.sale-summary button').click()
      await page.locator('#sale-price').fill(String(Math.ceil(price / 2)))
      await page.locator('#sale-endsAt').fill('2027-01-01T00:00')
      await page.locator('#sales [type=submit]').click()
      await page.locator('.sale-list li').waitFor()
    },
  },
  {
    name: 'seller-product-problems',
    makes: true,
    path: '/seller',
    who: 'seller',
    prepare: async (page) => {
      await openEdit(page)
      await page.locator('#edit-product-name').fill('')
      await page.locator('#edit-product-rating').fill('5.1')
      await page.locator('dialog form button[type=submit]').click()
      await page.locator('dialog .field-error').first().waitFor()
    },
  },
  {
    name: 'seller-product-conflict',
    makes: true,
    path: '/seller',
    who: 'seller',
    prepare: async (page) => {
      const product = await openEdit(page)
      await changeProduct(await other(), product, { price: '140', description: 'Crisp and sweet.' })
      await page.locator('#edit-product-price').fill('130')
      await page.locator('dialog form button[type=submit]').click()
      await page.locator('[data-testid=conflict]').waitFor()
    },
  },
  {
    name: 'seller-product-inline',
    makes: true,
    path: '/seller',
    who: 'seller',
    prepare: async (page) => {
      await atOwnProduct(page)
      await page.locator('[data-testid=product-row] .inline-value').first().click()
      await page.locator('.inline-edit input').fill('-1')
      await page.keyboard.press('Enter')
      await page.locator('.inline-problem:not(:empty)').waitFor()
    },
  },
  {
    name: 'seller-product-delete',
    makes: true,
    path: '/seller',
    who: 'seller',
    prepare: async (page) => {
      await atOwnProduct(page)
      await page.locator('[data-testid=product-row] .row-actions button').last().click()
      await page.locator('dialog form').waitFor()
    },
  },
  {
    name: 'seller-product-add',
    ordinary: true,
    path: '/seller/add_product',
    who: 'seller',
    prepare: async (page) => {
      await page.locator('main form button[type=submit]').click()
      await page.locator('main .field-error').first().waitFor()
    },
  },
  {
    name: 'seller-categories',
    ordinary: true,
    path: '/seller/categories',
    who: 'seller',
    prepare: (page) => page.locator('[data-testid=category-row]').first().waitFor(),
  },
  {
    name: 'seller-category-problems',
    path: '/seller/categories',
    who: 'seller',
    prepare: async (page) => {
      await openCategory(page)
      await page.locator('dialog form button[type=submit]').click()
      await page.locator('dialog .field-error').first().waitFor()
    },
  },
  {
    name: 'seller-category-delete',
    path: `/seller/categories?search=${CATEGORY}`,
    who: 'seller',
    prepare: async (page) => {
      await page.locator('[data-testid=category-row] .row-actions button').last().click()
      await page.locator('dialog form').waitFor()
    },
  },
  {
    name: 'seller-import',
    ordinary: true,
    path: '/seller/import',
    who: 'seller',
    prepare: (page) => page.locator('.recent').waitFor(),
  },
  {
    name: 'seller-starter',
    path: '/seller/import?starter=yes',
    who: 'seller',
    prepare: async (page) => {
      for (const word of ['masino', 'masoor', 'mustard']) {
        await page.locator('.starter [type=search]').fill(word)
        await page.locator('.starter-found input').first().check()
      }
      await page.locator('.starter-lines input').first().fill('540')
      await page.locator('.starter [type=submit]').click()
      await page.locator('.starter .field-error').waitFor()
    },
  },
  {
    name: 'seller-import-checked',
    makes: true,
    path: '/seller/import',
    who: 'seller',
    prepare: (page) => sendFile(page, false),
  },
  {
    name: 'seller-import-errors',
    makes: true,
    path: '/seller/import',
    who: 'seller',
    prepare: (page) => sendFile(page, true),
  },
  {
    name: 'seller-import-zip',
    makes: true,
    path: '/seller/import',
    who: 'seller',
    prepare: (page) => sendZip(page, false),
  },
  {
    name: 'seller-import-zip-errors',
    makes: true,
    path: '/seller/import',
    who: 'seller',
    prepare: (page) => sendZip(page, true),
  },
  {
    name: 'seller-import-applied',
    makes: true,
    path: '/seller/import',
    who: 'seller',
    prepare: async (page) => {
      await sendFile(page, false)
      await page.locator('[data-testid=import] .button-primary').click()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('[data-testid=import][data-state=applied]').waitFor()
    },
  },
  {
    name: 'seller-orders-selected',
    path: '/seller/orders',
    who: 'seller',
    prepare: async (page) => {
      await order(page)
      for (const n of [0, 1]) await page.locator('.order-checkbox input').nth(n).check()
      await page.locator('[data-testid=bulk]').waitFor()
      // At the top of the page the bar covers nothing.
      await page.evaluate(() => window.scrollTo(0, 0))
    },
  },
  {
    name: 'seller-orders-keys',
    path: '/seller/orders',
    who: 'seller',
    prepare: async (page) => {
      await order(page)
      await page.locator('.order-head').first().focus()
      await page.keyboard.press('?')
      await page.locator('dialog .shortcuts').waitFor()
    },
  },
  {
    name: 'seller-orders-views',
    path: '/seller/orders?unpaid=true',
    who: 'seller',
    prepare: async (page) => {
      await order(page)
      await page.locator('.views-save').click()
      await page.locator('#view input').fill('Tihar 2083')
      await page.locator('#view [type=submit]').click()
      await page.locator('.views .icon-button').waitFor()
      if (!(await page.locator('.columns-choice').isVisible())) return
      await page.locator('.columns-choice > button').click()
      for (const n of [1, 2, 3]) await page.locator('.columns-list input').nth(n).check()
    },
  },
  {
    name: 'seller-order-panel',
    ordinary: true,
    path: '/seller/orders',
    who: 'seller',
    prepare: async (page) => {
      await order(page)
      await page.locator('[data-testid=order-card] h2 button').first().click()
      await page.locator('[data-testid=order-item]').first().waitFor()
      await page.locator('.seller-main .skeleton').first().waitFor({ state: 'detached' })
    },
  },
  { name: 'seller-packing-slip', path: '/seller/orders', who: 'seller', prepare: print, paper: true },
  {
    name: 'seller-delivery',
    ordinary: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      onTheWay ??= sendOut()
      await onTheWay
      await page.goto('/seller/delivery')
      await page.locator('[data-testid=sheet]').waitFor()
    },
  },
  {
    name: 'seller-delivery-zones',
    ordinary: true,
    path: '/seller/delivery-zones',
    who: 'seller',
    prepare: (page) => page.locator('[data-testid=closed-today]').waitFor(),
  },
  {
    name: 'seller-overview',
    ordinary: true,
    path: '/seller/overview?days=30',
    who: 'seller',
    prepare: async (page) => {
      await page.locator('.figures dd').first().waitFor()
      await page.locator('[data-testid=top-product]').first().waitFor()
    },
  },
  {
    name: 'seller-overview-today',
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      // The orders of the other screens come at any hour; a full day shows what a shop sees.
      await page.route('**/api/order/get_overview?days=1', async (route) => {
        const response = await route.fetch()
        const { data, ...rest } = (await response.json()) as { data: { figures: object } }
        const day = [0, 0, 0, 0, 0, 0, 1, 4, 7, 5, 3, 2, 2, 3, 4, 6, 9, 12, 11, 8, 5, 2, 1, 0]
        const hours = day.map((n, hour) => ({
          hour,
          orders: hour < 15 ? n : 0,
          ordersLastWeek: (n * 5 + hour) % 13,
        }))
        const madeAt = '2026-11-18T08:50:00Z'
        const full = { ...data, madeAt, figures: { ...data.figures, orders: 31 }, hours }
        await route.fulfill({ json: { ...rest, data: full } })
      })
      await page.goto('/seller/overview?days=1')
      await page.locator('[data-testid=hours-now]').waitFor()
    },
  },
  {
    name: 'seller-first-steps',
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      await page.route('**/api/order/get_order_counts*', (route) =>
        route.fulfill({
          json: { success: true, message: '', data: { all: { count: 0, capped: false }, counts: [] } },
        }),
      )
      await page.goto('/seller/overview')
      await page.locator('[data-testid=first-steps]').waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'seller-settings',
    ordinary: true,
    path: '/seller/settings',
    who: 'seller',
    prepare: (page) => page.locator('#shop-brand').waitFor(),
  },
  {
    name: 'seller-newsletter',
    ordinary: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      subscribed ??= subscribe()
      await subscribed
      await page.goto('/seller/newsletter')
      await page.locator('[data-testid=subscriber]').first().waitFor()
    },
  },
  {
    name: 'seller-audit',
    ordinary: true,
    path: '/seller/audit',
    who: 'seller',
    prepare: (page) => page.locator('main table, main ol, main ul').first().waitFor(),
  },
  {
    name: 'seller-security',
    ordinary: true,
    path: '/seller/security',
    who: 'seller',
    prepare: (page) => page.locator('main .rows > li').first().waitFor(),
  },
  {
    name: 'seller-alerts',
    ordinary: true,
    path: '/seller/alerts',
    who: 'seller',
    prepare: (page) => page.locator('#alerts-email').waitFor(),
  },
]
