import type { Locator, Page } from '@playwright/test'
import { DESK_SHELF } from '../support/database.ts'
import {
  addCategory,
  addProduct,
  atDesk,
  atDeskThroughDoor,
  BAD_TYPE,
  changeProduct,
  DELETE_CATEGORY,
  DELETE_PRODUCT,
  endSession,
  INTERNAL,
  PRODUCTS,
  productNow,
  type SellerProduct,
  UPDATE_PRODUCT,
  unheard,
} from '../support/desk.ts'
import { STOPPED } from '../support/door.ts'
import { order } from '../support/orders.ts'
import { fault, register, somebody, unreachable, unsuccessful } from '../support/people.ts'
import { DRAWING, PHOTO } from '../support/pictures.ts'
import { sellerSession } from '../support/seller.ts'
import {
  BROKEN,
  expect,
  listen,
  ON_DESKTOP,
  ON_PHONE,
  open,
  REFUSED,
  takenOver,
  test,
  toast,
} from '../support/shop.ts'

const rows = (page: Page) => page.getByTestId('product-row')
const row = (page: Page, { name }: { name: string }) => rows(page).filter({ hasText: name })
const search = (page: Page) => page.getByRole('main').getByLabel('Search by name or category')
const dialog = (page: Page) => page.getByRole('dialog')
const toEdit = (page: Page, { name }: { name: string }) =>
  page.getByRole('button', { name: `Edit ${name}`, exact: true })
const toDelete = (page: Page, { name }: { name: string }) =>
  page.getByRole('button', { name: `Delete ${name}`, exact: true })

/** A seller at the list, which shows this one product of the test's own. */
async function atProduct(page: Page, fields: Record<string, string> = {}) {
  const maker = await sellerSession()
  const product = await addProduct(maker, fields)
  const { seller, who } = await atDesk(page, `/seller?search=${product.name.split(' ').at(-1)}`)
  await expect(rows(page)).toHaveCount(1)
  return { product, seller, who, other: maker }
}

async function editing(page: Page, product: SellerProduct) {
  await toEdit(page, product).click()
  await expect(dialog(page).getByLabel(/^Name/).first()).toHaveValue(product.name)
  return dialog(page)
}

const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save' })
const price = (page: Page) => dialog(page).getByLabel(/^Price/)
const rating = (page: Page) => dialog(page).getByLabel(/^Rating/)

/** The colour behind an element, in degrees on the wheel: 0 is red, 60 yellow, 120 green. */
const hueOf = (badge: Locator) =>
  badge.evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = getComputedStyle(element).backgroundColor
    context.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data
    const most = Math.max(r, g, b)
    const span = most - Math.min(r, g, b)
    if (span === 0) return Number.NaN
    const turn = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span
    return (turn * 60 + 360) % 360
  })

// spec: 2.sproducts.5, 9.const.19, 9.const.20, 9.const.21
test('every product has a stock badge: above 10 green, 1 to 10 yellow, 0 red', async ({ page }) => {
  const maker = await sellerSession()
  const word = unheard()
  const stocks = {
    42: ['in stock', 'in'],
    11: ['in stock', 'in'],
    10: ['low', 'low'],
    1: ['low', 'low'],
    0: ['Out of stock', 'out'],
  }
  for (const stock of Object.keys(stocks))
    await addProduct(maker, { name: `Crate ${word} of ${stock}!`, stock })
  await atDesk(page, `/seller?search=${word}`)
  await expect(rows(page)).toHaveCount(5)
  const hues = new Map<string, number>()
  for (const [stock, [text = '', level]] of Object.entries(stocks)) {
    const shown = row(page, { name: `${word} of ${stock}!` })
    const badge = shown.getByTestId('stock-badge')
    await expect(badge).toHaveText(text)
    await expect(badge).toHaveClass(new RegExp(`badge-${level}`))
    await expect(shown).toContainText(stock)
    hues.set(text, await hueOf(badge))
  }
  expect(hues.get('in stock'), 'green').toBeGreaterThan(90)
  expect(hues.get('in stock'), 'green').toBeLessThan(170)
  expect(hues.get('low'), 'yellow').toBeGreaterThan(35)
  expect(hues.get('low'), 'yellow').toBeLessThan(65)
  expect(
    Math.min(hues.get('Out of stock') ?? 180, 360 - (hues.get('Out of stock') ?? 180)),
    'red',
  ).toBeLessThan(20)
})

// spec: 2.sproducts.1, 2.sproducts.6, 5.search.5
test('the search finds part of a name and part of a category in any case; nothing found can be cleared', async ({
  page,
}) => {
  const { product } = await atProduct(page)
  const word = product.name.split(' ').at(-1) ?? ''
  await search(page).fill(word.toUpperCase().slice(0, 8))
  await expect(row(page, product)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await search(page).fill(DESK_SHELF.name.slice(1, 8).toUpperCase())
  await expect(row(page, product)).toBeVisible()
  await expect(page.getByTestId('count')).toHaveText(/^\d[\d,]* products?$/)
  await search(page).fill(`${word}zzz`)
  await expect(page.getByRole('heading', { name: `No products match "${word}zzz"` })).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await expect(search(page)).toHaveValue('')
  await expect(rows(page).first()).toBeVisible()
})

// spec: 2.sproducts.4
test("'Add New Product' leads to the form", ON_PHONE, async ({ page }) => {
  await atDesk(page, '/seller')
  await page.getByRole('main').getByRole('link', { name: 'Add New Product' }).first().click()
  await expect(page).toHaveURL('/seller/add_product')
  await expect(page.getByRole('button', { name: 'Add Product' })).toBeVisible()
})

test(
  'the chips show what is low and what is out of stock, the lowest first, with how many there are',
  ON_DESKTOP,
  async ({ page }) => {
    const maker = await sellerSession()
    const word = unheard()
    for (const stock of ['7', '3', '0', '25'])
      await addProduct(maker, { name: `Crate ${word} of ${stock}!`, stock })
    await atDesk(page, `/seller?search=${word}`)
    await expect(rows(page)).toHaveCount(4)
    const chip = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Show by stock' }).getByRole('button', { name })
    await expect(chip(/^All/).locator('.chip-count')).toHaveText(/^[\d,]+$/)
    await chip(/^low/).click()
    await expect(rows(page)).toHaveCount(2)
    await expect(rows(page).first()).toContainText('of 3!')
    await expect(page).toHaveURL(/stock=low/)
    await chip(/^Out of stock/).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page).first()).toContainText('of 0!')
    await chip(/^All/).click()
    await expect(rows(page)).toHaveCount(4)
  },
)

test('columns sort by name and price, there and back, and tell so', ON_DESKTOP, async ({ page }) => {
  const maker = await sellerSession()
  const word = unheard()
  for (const [name, cost] of [
    ['B', '300'],
    ['C', '100'],
    ['A', '200'],
  ] as const)
    await addProduct(maker, { name: `${word} ${name}`, price: cost })
  await atDesk(page, `/seller?search=${word}`)
  const names = async () =>
    (await rows(page).allTextContents()).map((text) => text.split(word)[1]?.trim().at(0)).join('')
  const head = (name: string) => page.getByRole('columnheader', { name })
  await expect.poll(names).toBe('ACB')
  await head('Product').getByRole('button').click()
  await expect.poll(names).toBe('ABC')
  await expect(head('Product')).toHaveAttribute('aria-sort', 'ascending')
  await head('Price').getByRole('button').click()
  await expect.poll(names).toBe('CAB')
  await head('Price').getByRole('button').click()
  await expect.poll(names).toBe('BAC')
  await expect(head('Price')).toHaveAttribute('aria-sort', 'descending')
  await page.reload()
  await takenOver(page)
  await expect.poll(names, 'the order is in the address').toBe('BAC')
})

test('the price is changed where it stands: Enter saves, Escape restores, the shop shows it', async ({
  page,
}) => {
  const { product, seller } = await atProduct(page)
  const value = page.getByRole('button', { name: `change the price of ${product.name}` })
  const field = page.getByLabel(`New price of ${product.name} in rupees`)
  await value.click()
  await expect(field).toBeFocused()
  await field.fill('77')
  await page.keyboard.press('Escape')
  await expect(value).toContainText('Rs. 120')
  await value.click()
  await field.fill('135.5')
  const sent = page.waitForRequest((request) => request.url().includes(UPDATE_PRODUCT))
  await page.keyboard.press('Enter')
  expect((await sent).method()).toBe('PUT')
  await toast(page, 'Product updated successfully!')
  await expect(value).toContainText('Rs. 135.50')
  await expect(value).toBeFocused()
  expect((await productNow(seller, product)).price).toBe(135.5)
})

test(
  'stock that somebody bought meanwhile stays sold: only the difference is applied, and the seller is told',
  ON_DESKTOP,
  async ({ page }) => {
    const { product, seller, other } = await atProduct(page, { stock: '20' })
    const value = page.getByRole('button', { name: `change the stock of ${product.name}` })
    await value.click()
    await page.getByLabel(`New stock of ${product.name}`).fill('30')
    await changeProduct(other, product, { stock: '15', stockWas: '20' })
    await page.keyboard.press('Enter')
    await toast(page, 'Saved. Others bought or returned some meanwhile: the stock is now 25.')
    await expect(value).toContainText('25')
    expect((await productNow(seller, product)).stock).toBe(25)
  },
)

test(
  'less than there is any more: the stock as it is now is shown, and saving again works',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { product, seller, other } = await atProduct(page, { stock: '20' })
    await page.getByRole('button', { name: `change the stock of ${product.name}` }).click()
    const field = page.getByLabel(`New stock of ${product.name}`)
    await field.fill('5')
    await changeProduct(other, product, { stock: '9', stockWas: '20' })
    await page.keyboard.press('Enter')
    await expect(
      row(page, product).getByText(
        'The stock has changed meanwhile: there are 9 now. Save again to set yours.',
      ),
    ).toBeVisible()
    await page.keyboard.press('Enter')
    await toast(page, 'Product updated successfully!')
    expect((await productNow(seller, product)).stock).toBe(5)
  },
)

// spec: 2.sproducts.2, 3.product.4, 7.seller.5, 8.success.15
test('Edit opens with the values as they are; Save sends them to the product’s address and the row shows them', async ({
  page,
}) => {
  const { product, seller } = await atProduct(page, {
    rating: '4.5',
    reviews: '12',
    tags: 'fresh, local',
    stock: '8',
  })
  const form = await editing(page, product)
  await expect(form.getByLabel(/^Description/).first()).toHaveValue(product.description)
  await expect(form.getByLabel(/^Category/)).toHaveValue(DESK_SHELF.slug)
  await expect(price(page)).toHaveValue('120')
  await expect(rating(page)).toHaveValue('4.5')
  await expect(form.getByLabel(/^Reviews count/)).toHaveValue('12')
  await expect(form.getByLabel(/^Stock quantity/)).toHaveValue('8')
  for (const tag of ['fresh', 'local'])
    await expect(form.getByRole('button', { name: `Remove ${tag}` })).toBeVisible()
  await price(page).fill('150')
  await rating(page).fill('0')
  const sent = page.waitForRequest((request) => request.url().endsWith(UPDATE_PRODUCT + product.slug))
  await save(page).click()
  expect((await sent).method()).toBe('PUT')
  await toast(page, 'Product updated successfully!')
  await expect(dialog(page)).toHaveCount(0)
  await expect(row(page, product)).toContainText('Rs. 150')
  await expect(toEdit(page, product)).toBeFocused()
  expect(await productNow(seller, product)).toMatchObject({
    price: 150,
    rating: 0,
    stock: 8,
    tags: ['fresh', 'local'],
  })
})

// spec: 5.product.4, 9.const.18
test('ratings from 0 to 5 in steps of 0.1 pass in Edit, others are blocked', ON_DESKTOP, async ({ page }) => {
  const { product, seller } = await atProduct(page, { rating: '3' })
  const sent = listen(page, UPDATE_PRODUCT)
  await editing(page, product)
  for (const wrong of ['5.1', '-0.1', '4.65']) {
    await rating(page).fill(wrong)
    await save(page).click()
    await expect(
      dialog(page)
        .locator('.field-error')
        .filter({ hasText: /rating/i }),
    ).toBeVisible()
  }
  expect(sent).toEqual([])
  await rating(page).fill('5')
  await save(page).click()
  await toast(page, 'Product updated successfully!')
  expect(sent).toHaveLength(1)
  expect((await productNow(seller, product)).rating).toBe(5)
})

test(
  'a picture is added, shown in the row and in the shop, and a drawing is refused',
  ON_DESKTOP,
  async ({ page }) => {
    const { product, seller } = await atProduct(page)
    await editing(page, product)
    const file = dialog(page).getByLabel(/^Product image/)
    await file.setInputFiles(DRAWING)
    await expect(dialog(page).getByText(BAD_TYPE).first()).toBeVisible()
    await file.setInputFiles(PHOTO)
    await expect(dialog(page).getByAltText('Preview of product image')).toBeVisible()
    await save(page).click()
    await toast(page, 'Product updated successfully!')
    await expect(row(page, product).locator('img')).toBeVisible()
    const { image } = await productNow(seller, product)
    expect((await page.request.get(image)).status()).toBe(200)
  },
)

test('unsaved changes are asked about before the dialog closes', ON_PHONE, async ({ page }) => {
  const { product, seller } = await atProduct(page)
  await editing(page, product)
  await price(page).fill('999')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(price(page)).toHaveValue('999')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page
    .getByRole('dialog', { name: 'Close without saving?' })
    .getByRole('button', { name: 'Discard changes' })
    .click()
  await expect(dialog(page)).toHaveCount(0)
  expect((await productNow(seller, product)).price).toBe(120)
})

test('two sellers change the same product: the second is shown what the first did, and keeps theirs or his own', async ({
  browser,
  page,
  allowConsole,
  baseURL,
  viewport,
}) => {
  allowConsole(REFUSED)
  const { product, seller } = await atProduct(page)
  const context = await browser.newContext({ viewport, ...(baseURL ? { baseURL } : {}) })
  const second = await context.newPage()
  await (await sellerSession()).enter(context)
  await open(second, page.url())

  for (const each of [page, second]) await editing(each, product)
  await price(page).fill('131')
  await dialog(page)
    .getByLabel(/^Description/)
    .first()
    .fill('As the first seller says.')
  await save(page).click()
  await toast(page, 'Product updated successfully!')
  await price(second).fill('142')
  await save(second).click()

  const conflict = second.getByTestId('conflict')
  await expect(conflict).toBeFocused()
  await expect(conflict).toContainText('Somebody else has changed this product since you opened it.')
  await expect(conflict).toContainText('131')
  await expect(conflict).toContainText('As the first seller says.')
  await expect(conflict.getByRole('listitem').filter({ hasText: 'Price' })).toContainText(
    'you changed it too',
  )
  expect((await productNow(seller, product)).price, 'nothing is overwritten in silence').toBe(131)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await toast(second, 'Product updated successfully!')
  expect(await productNow(seller, product)).toMatchObject({
    price: 142,
    description: 'As the first seller says.',
  })
  await context.close()
})

test('of a conflict the other’s version can be taken, too', ON_DESKTOP, async ({ page, allowConsole }) => {
  allowConsole(REFUSED)
  const { product, seller, other } = await atProduct(page)
  await editing(page, product)
  await price(page).fill('142')
  await changeProduct(other, product, { price: '131' })
  await save(page).click()
  await page.getByTestId('conflict').getByRole('button', { name: 'Use theirs' }).click()
  await expect(price(page)).toHaveValue('131')
  await expect(page.getByTestId('conflict')).toHaveCount(0)
  expect((await productNow(seller, product)).price).toBe(131)
})

test(
  'a price that somebody else changed meanwhile is shown where it stands, and not overwritten',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { product, seller, other } = await atProduct(page)
    await page.getByRole('button', { name: `change the price of ${product.name}` }).click()
    await page.getByLabel(`New price of ${product.name} in rupees`).fill('142')
    await changeProduct(other, product, { price: '131' })
    await page.keyboard.press('Enter')
    await expect(row(page, product)).toContainText('The price is now Rs. 131. Save again to set yours.')
    expect((await productNow(seller, product)).price).toBe(131)
    await page.keyboard.press('Enter')
    await toast(page, 'Product updated successfully!')
    expect((await productNow(seller, product)).price).toBe(142)
  },
)

test('a sale is no conflict: texts are saved while the goods are sold', ON_DESKTOP, async ({ page }) => {
  const { product, seller } = await atProduct(page, { stock: '20' })
  await editing(page, product)
  await dialog(page)
    .getByLabel(/^Description/)
    .first()
    .fill('Better said.')
  await order(await register(somebody()), [[{ ...product, id: product._id, nameNe: '', paisa: 120_00 }, 2]])
  await save(page).click()
  await toast(page, 'Product updated successfully!')
  expect(await productNow(seller, product)).toMatchObject({ description: 'Better said.', stock: 18 })
})

// spec: 2.sproducts.3, 3.product.4, 7.seller.6, 8.success.16
test('Delete asks, naming the product; Cancel has the focus and does nothing; Delete removes the row', async ({
  page,
}) => {
  const { product, seller } = await atProduct(page)
  const sent = listen(page, DELETE_PRODUCT)
  await toDelete(page, product).click()
  await expect(dialog(page)).toContainText('Delete product?')
  await expect(dialog(page)).toContainText(
    `"${product.name}" will be removed from the shop. This can't be undone.`,
  )
  const cancel = dialog(page).getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeFocused()
  await cancel.click()
  await expect(row(page, product)).toBeVisible()
  expect(sent).toEqual([])
  await toDelete(page, product).click()
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await toast(page, 'Product deleted successfully!')
  await expect(rows(page)).toHaveCount(0)
  expect(sent.map((request) => `${request.method()} ${new URL(request.url()).pathname}`)).toEqual([
    `DELETE ${DELETE_PRODUCT}${product.slug}`,
  ])
  expect((await seller.call('GET', `/api/product/get_seller_product/${product.slug}`)).status).toBe(404)
})

const WAYS = {
  Edit: async (page: Page, product: SellerProduct) => {
    await editing(page, product)
    await price(page).fill('150')
    return async () => save(page).click()
  },
  Delete: async (page: Page, product: SellerProduct) => {
    await toDelete(page, product).click()
    const button = dialog(page).getByRole('button', { name: 'Delete', exact: true })
    await expect(button).toBeVisible()
    return async () => button.click()
  },
}
const CALLS = { Edit: UPDATE_PRODUCT, Delete: DELETE_PRODUCT }

for (const doing of ['Edit', 'Delete'] as const) {
  // spec: 8.seller.6, 8.seller.9
  test(`${doing}, 401: the server’s message`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { product, who, other } = await atProduct(page)
    const go = await WAYS[doing](page, product)
    endSession(who)
    const answered = page.waitForResponse((response) => response.url().includes(CALLS[doing]))
    await go()
    const answer = await answered
    expect(answer.status()).toBe(401)
    const { message } = (await answer.json()) as { message: string }
    expect(message).not.toBe('')
    await toast(page, message)
    expect((await productNow(other, product)).price).toBe(120)
  })

  // spec: 8.seller.7, 8.seller.10
  test(`${doing}, 500: '${INTERNAL}'`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(BROKEN)
    const { product, other } = await atProduct(page)
    await fault(page, `${CALLS[doing]}*`)
    await (await WAYS[doing](page, product))()
    await toast(page, INTERNAL)
    await expect(dialog(page).locator('.form-problem')).toHaveText(INTERNAL)
    expect((await productNow(other, product)).price).toBe(120)
    await page.unrouteAll()
  })

  // spec: 8.seller.8, 8.seller.11
  test(`${doing}, gone meanwhile: the server’s message`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { product, other } = await atProduct(page)
    const go = await WAYS[doing](page, product)
    await other.must('DELETE', DELETE_PRODUCT + product.slug)
    await go()
    await toast(page, 'Product not found')
    await expect(dialog(page).locator('.form-problem')).toHaveText('Product not found')
  })
}

test(
  'Edit, refused for a field: the server’s sentence stands at the field',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { product, other } = await atProduct(page)
    const gone = await addCategory(other)
    await editing(page, product)
    await dialog(page)
      .getByLabel(/^Category/)
      .selectOption({ label: gone.name })
    await other.must('DELETE', DELETE_CATEGORY + gone.slug)
    const answered = page.waitForResponse((response) => response.url().includes(UPDATE_PRODUCT))
    await save(page).click()
    const answer = await answered
    expect(answer.status()).toBe(422)
    const { message } = (await answer.json()) as { message: string }
    await toast(page, message)
    await expect(dialog(page).locator('.field-error').filter({ hasText: message })).toBeVisible()
  },
)

test(
  'Edit with the server stopped says so, and what was typed stays',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(STOPPED)
    const maker = await sellerSession()
    const product = await addProduct(maker)
    const shut = await atDeskThroughDoor(page, `/seller?search=${product.name.split(' ').at(-1)}`)
    await editing(page, product)
    await price(page).fill('150')
    await shut()
    await save(page).click()
    await toast(page, 'No response from server. Please try again.')
    await expect(price(page)).toHaveValue('150')
  },
)

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to fetch products.'],
  ['no connection', unreachable, 'Error fetching products.'],
] as const) {
  test(
    `the list, ${way}: '${text}', and it can be tried again`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(BROKEN)
      await spoil(page, `${PRODUCTS}?*`)
      await atDesk(page, '/seller')
      await toast(page, text)
      await page.unrouteAll()
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
      await expect(rows(page).first()).toBeVisible()
    },
  )
}

test('a long list is loaded page by page', ON_DESKTOP, async ({ page }) => {
  await atDesk(page, '/seller')
  await expect(rows(page)).toHaveCount(50)
  await page
    .getByRole('main')
    .getByRole('button', { name: /Load more/i })
    .click()
  await expect.poll(() => rows(page).count()).toBeGreaterThan(50)
})

test('the table becomes cards at 360 px, with both buttons 44 px high', ON_PHONE, async ({ page }) => {
  const { product } = await atProduct(page)
  for (const button of [toEdit(page, product), toDelete(page, product)])
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
})
