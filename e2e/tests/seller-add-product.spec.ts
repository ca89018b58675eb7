import type { Page } from '@playwright/test'
import { DESK_SHELF } from '../support/database.ts'
import {
  ADD_PRODUCT,
  addCategory,
  addProduct,
  atDesk,
  atDeskThroughDoor,
  CATEGORIES,
  DELETE_CATEGORY,
  endSession,
  PRODUCTS,
  type SellerCategory,
  type SellerProduct,
  TOO_LARGE,
  unheard,
} from '../support/desk.ts'
import { STOPPED } from '../support/door.ts'
import { fault, unreachable, type Visitor } from '../support/people.ts'
import { PHOTO } from '../support/pictures.ts'
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

const PATH = '/seller/add_product'
const form = (page: Page) => page.getByRole('main').locator('form')
const field = (page: Page, label: RegExp) => form(page).getByLabel(label).first()
const submit = (page: Page) => form(page).getByRole('button', { name: 'Add Product' })
const errors = (page: Page) => form(page).locator('.field-error')

/** What must be filled in, with a name that nobody else has. */
async function fill(page: Page, name = `Crate ${unheard()}`) {
  await field(page, /^Name/).fill(name)
  await field(page, /^Description/).fill('From the hills.')
  await field(page, /^Category/).selectOption({ label: DESK_SHELF.name })
  await field(page, /^Price/).fill('250')
  return name
}

async function named(seller: Visitor, name: string): Promise<SellerProduct | undefined> {
  const found = await seller.must<SellerProduct[]>(
    'GET',
    `${PRODUCTS}?${new URLSearchParams({ search: name })}`,
  )
  return found.find((product) => product.name === name)
}

// spec: 2.sadd.1, 2.sadd.2, 5.product.5
test('the form has image with its hint, name, description, category from the list, price, rating, reviews, tags and stock', async ({
  page,
}) => {
  const { seller } = await atDesk(page, PATH)
  await expect(form(page).getByLabel(/^Product image/)).toHaveAttribute('accept', /^image\//)
  await expect(form(page)).toContainText('PNG, JPG, GIF up to 10MB')
  for (const label of [
    /^Name/,
    /^Description/,
    /^Price/,
    /^Rating/,
    /^Reviews count/,
    /^Tags/,
    /^Stock quantity/,
  ])
    await expect(field(page, label)).toBeVisible()
  const categories = await seller.must<SellerCategory[]>('GET', CATEGORIES)
  await expect
    .poll(() =>
      field(page, /^Category/)
        .getByRole('option')
        .allTextContents(),
    )
    .toEqual(expect.arrayContaining(categories.slice(0, 3).map(({ name }) => name)))
})

// spec: 5.product.1
test(
  'without name, description, category or price nothing is sent, and the gap is named',
  ON_DESKTOP,
  async ({ page }) => {
    await atDesk(page, PATH)
    const sent = listen(page, ADD_PRODUCT)
    for (const [label, problem] of [
      [/^Name/, 'Enter a name'],
      [/^Description/, 'Enter a description'],
      [/^Category/, 'Choose a category'],
      [/^Price/, 'Enter a price'],
    ] as const) {
      await fill(page)
      if (label.source === '^Category') await field(page, label).selectOption('')
      else await field(page, label).fill('')
      await submit(page).click()
      await expect(errors(page).filter({ hasText: problem })).toBeVisible()
      await expect(errors(page)).toHaveCount(1)
    }
    expect(sent).toEqual([])
    // The same form goes through as soon as the gap is filled.
    await fill(page)
    await submit(page).click()
    await toast(page, 'Product added successfully!')
    expect(sent).toHaveLength(1)
  },
)

// spec: 2.sadd.3, 5.product.2, 9.const.17
test(
  'ratings 0.9, 5.1 and 4.65 are blocked; 1, 5 and 4.6 pass, and so does none',
  ON_DESKTOP,
  async ({ page }) => {
    const { seller } = await atDesk(page, PATH)
    const sent = listen(page, ADD_PRODUCT)
    await fill(page)
    for (const wrong of ['0.9', '5.1', '4.65']) {
      await field(page, /^Rating/).fill(wrong)
      await submit(page).click()
      await expect(errors(page).filter({ hasText: /rating/i })).toBeVisible()
    }
    expect(sent).toEqual([])
    for (const right of ['1', '5', '4.6', '']) {
      const name = await fill(page)
      await field(page, /^Rating/).fill(right)
      await submit(page).click()
      await expect(page.getByTestId('added')).toContainText(name)
      expect((await named(seller, name))?.rating).toBe(Number(right))
    }
  },
)

// spec: 5.product.3
test(
  'image, reviews, tags and stock may stay empty: the product is there, without stock',
  ON_DESKTOP,
  async ({ page }) => {
    const { seller } = await atDesk(page, PATH)
    const name = await fill(page)
    await submit(page).click()
    await toast(page, 'Product added successfully!')
    expect(await named(seller, name)).toMatchObject({ price: 250, stock: 0, reviews: 0, rating: 0, tags: [] })
  },
)

// spec: 2.sadd.4, 3.product.2, 7.seller.3, 7.seller.4, 8.success.9
test('all of it: multipart with the tags in commas, in the list and in the shop with two tag badges', async ({
  page,
}) => {
  await atDesk(page, PATH)
  const name = await fill(page)
  await form(page)
    .getByLabel(/^Product image/)
    .setInputFiles(PHOTO)
  await expect(form(page).getByAltText('Preview of product image')).toBeVisible()
  await field(page, /^Rating/).fill('4.6')
  await field(page, /^Reviews count/).fill('7')
  await field(page, /^Tags/).fill('fresh,')
  await field(page, /^Tags/).fill('local')
  await field(page, /^Stock quantity/).fill('42')
  const sent = page.waitForRequest(`**${ADD_PRODUCT}`)
  await submit(page).click()
  const request = await sent
  expect(request.headers()['content-type']).toContain('multipart/form-data')
  // The browser keeps files out of what it shows of a body; the words before them are there.
  const body = request.postDataBuffer()?.toString('latin1') ?? ''
  if (body) expect(body).toContain('fresh, local')
  await toast(page, 'Product added successfully!')

  // Ready for the next one.
  await expect(field(page, /^Name/)).toHaveValue('')
  await expect(field(page, /^Name/)).toBeFocused()
  await page.getByTestId('added').getByRole('link', { name: 'View in list' }).click()
  const row = page.getByTestId('product-row').filter({ hasText: name })
  await expect(row).toContainText('Rs. 250')
  await expect(row.getByTestId('stock-badge')).toHaveText('in stock')
  await expect(async () => {
    await open(page, `/products?search=${encodeURIComponent(name)}`)
    const card = page.locator('main article.card').filter({ hasText: name })
    await expect(card.getByText('fresh', { exact: true })).toBeVisible({ timeout: 1_000 })
    await expect(card.getByText('local', { exact: true })).toBeVisible()
    await expect(card.locator('img')).toBeVisible()
  }).toPass()
})

// spec: 9.const.14
test(
  'an image of more than 10 MB is refused before it is sent, one of less is taken',
  ON_DESKTOP,
  async ({ page }) => {
    const { seller } = await atDesk(page, PATH)
    const sent = listen(page, ADD_PRODUCT)
    const name = await fill(page)
    // What follows the picture's end is no part of it; it only makes the file large.
    const padded = (megabytes: number) => ({
      name: 'large.png',
      mimeType: 'image/png',
      buffer: Buffer.concat([PHOTO.buffer, Buffer.alloc(megabytes * 1024 * 1024 - PHOTO.buffer.length)]),
    })
    await form(page)
      .getByLabel(/^Product image/)
      .setInputFiles(padded(10.5))
    await expect(errors(page).filter({ hasText: TOO_LARGE })).toBeVisible()
    expect(sent).toEqual([])
    await form(page)
      .getByLabel(/^Product image/)
      .setInputFiles(padded(9.9))
    await expect(errors(page)).toHaveCount(0)
    await submit(page).click()
    await toast(page, 'Product added successfully!')
    expect((await named(seller, name))?.image).not.toBe('')
  },
)

test('a name that is taken is mentioned, and may be used', ON_DESKTOP, async ({ page }) => {
  const there = await addProduct(await sellerSession())
  await atDesk(page, PATH)
  await fill(page, there.name)
  await expect(form(page).getByText('A product with this name is already in the shop.')).toBeVisible()
  await submit(page).click()
  await toast(page, 'Product added successfully!')
})

test('what was begun is there again after a reload', ON_PHONE, async ({ page }) => {
  await atDesk(page, PATH)
  const name = await fill(page)
  await page.reload()
  await takenOver(page)
  await expect(field(page, /^Name/)).toHaveValue(name)
  await expect(field(page, /^Price/)).toHaveValue('250')
})

// spec: 8.seller.4
test(
  "refused by the server: 'Failed to add product.', its reason at the field, and nothing typed is lost",
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const other = await sellerSession()
    const gone = await addCategory(other)
    await atDesk(page, PATH)
    const name = await fill(page)
    await field(page, /^Category/).selectOption({ label: gone.name })
    await other.must('DELETE', DELETE_CATEGORY + gone.slug)
    const answered = page.waitForResponse(`**${ADD_PRODUCT}`)
    await submit(page).click()
    expect((await answered).status()).toBe(422)
    await toast(page, 'Failed to add product.')
    await expect(errors(page)).toHaveCount(1)
    await expect(field(page, /^Name/)).toHaveValue(name)
  },
)

// spec: 8.seller.4
test("a broken server: 'Failed to add product.'", ON_DESKTOP, async ({ page, allowConsole }) => {
  allowConsole(BROKEN)
  await atDesk(page, PATH)
  await fault(page, ADD_PRODUCT)
  await fill(page)
  await submit(page).click()
  await toast(page, 'Failed to add product.')
  await page.unrouteAll()
})

test(
  'a session that has ended: the server’s refusal, and the login',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { who } = await atDesk(page, PATH)
    await fill(page)
    endSession(who)
    const answered = page.waitForResponse(`**${ADD_PRODUCT}`)
    await submit(page).click()
    expect((await answered).status()).toBe(401)
    await toast(page, 'Failed to add product.')
  },
)

// spec: 8.seller.5
test(
  "a stopped server: 'No response from server. Please try again.', and nothing typed is lost",
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(STOPPED)
    const shut = await atDeskThroughDoor(page, PATH)
    const name = await fill(page)
    await shut()
    await submit(page).click()
    await toast(page, 'No response from server. Please try again.')
    await expect(field(page, /^Name/)).toHaveValue(name)
  },
)

test(
  'categories that do not come are said at the field, with Try again',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(BROKEN)
    await unreachable(page, CATEGORIES)
    await atDesk(page, PATH)
    await expect(form(page).getByText('The categories could not be loaded.')).toBeVisible()
    await page.unrouteAll()
    await form(page).getByRole('button', { name: 'Try again' }).click()
    await field(page, /^Category/).selectOption({ label: DESK_SHELF.name })
  },
)
