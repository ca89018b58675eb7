import type { Page } from '@playwright/test'
import { BARE } from '../support/database.ts'
import {
  ADD_CATEGORY,
  addCategory,
  addProduct,
  atDesk,
  atDeskThroughDoor,
  BAD_TYPE,
  CATEGORIES,
  DELETE_CATEGORY,
  endSession,
  INTERNAL,
  type SellerCategory,
  TOO_LARGE,
  UPDATE_CATEGORY,
  unheard,
} from '../support/desk.ts'
import { STOPPED } from '../support/door.ts'
import { fault, formOf, unreachable, unsuccessful, type Visitor } from '../support/people.ts'
import { OTHER_PHOTO, PHOTO, turnedPhoto } from '../support/pictures.ts'
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

const PATH = '/seller/categories'
const rows = (page: Page) => page.getByTestId('category-row')
const row = (page: Page, { name }: { name: string }) => rows(page).filter({ hasText: name })
const search = (page: Page) => page.getByRole('main').getByLabel('Search categories')
const dialog = (page: Page) => page.getByRole('dialog')
const errors = (page: Page) => dialog(page).locator('.field-error')
const name = (page: Page) => dialog(page).getByLabel(/^Category name/)
const description = (page: Page) =>
  dialog(page)
    .getByLabel(/^Description/)
    .first()
const image = (page: Page) => dialog(page).getByLabel(/^Category image/)
const icon = (page: Page) => dialog(page).getByLabel(/^Category icon/)
const press = (page: Page, label: 'Add Category' | 'Save') =>
  dialog(page).getByRole('button', { name: label, exact: true }).click()

async function adding(page: Page) {
  await page.getByRole('main').getByRole('button', { name: 'Add Category' }).first().click()
  await expect(name(page)).toBeVisible()
}

async function fill(page: Page, called = `Shelf ${unheard()}`) {
  await name(page).fill(called)
  await description(page).fill('What the hills give.')
  await image(page).setInputFiles(PHOTO)
  await icon(page).setInputFiles(OTHER_PHOTO)
  return called
}

async function editing(page: Page, category: SellerCategory) {
  await page.getByRole('button', { name: `Edit ${category.name}`, exact: true }).click()
  await expect(name(page)).toHaveValue(category.name)
}

async function deleting(page: Page, category: SellerCategory) {
  await page.getByRole('button', { name: `Delete ${category.name}`, exact: true }).click()
  await expect(dialog(page)).toContainText('Delete category?')
  return dialog(page).getByRole('button', { name: 'Delete', exact: true })
}

/** A category of the test's own, and a seller who sees it. */
async function atCategory(page: Page, fields: Record<string, string> = {}) {
  const other = await sellerSession()
  const category = await addCategory(other, fields)
  const { seller, who } = await atDesk(page, `${PATH}?search=${category.name.split(' ').at(-1)}`)
  await expect(row(page, category)).toBeVisible()
  return { category, seller, who, other }
}

const now = async (seller: Visitor, { _id }: SellerCategory) =>
  (await seller.must<SellerCategory[]>('GET', CATEGORIES)).find((each) => each._id === _id)

// spec: 2.scategories.1, 2.scategories.2
test('the list has image, icon, description and product count; the search filters', async ({ page }) => {
  const { category, other } = await atCategory(page)
  for (const n of [1, 2, 3])
    await addProduct(other, { category: category.name, name: `Crate ${unheard()} ${n}` })
  await page.reload()
  await takenOver(page)
  const shown = row(page, category)
  await expect(shown.locator('img')).toHaveCount(2)
  await expect(shown).toContainText(category.description)
  await expect(shown.locator('.row-number')).toContainText('3')
  await expect(rows(page)).toHaveCount(1)
  await search(page).fill(BARE.name.toUpperCase().slice(0, 6))
  await expect(row(page, BARE)).toBeVisible()
  await expect(row(page, category)).toHaveCount(0)
  await search(page).fill('xyzzy')
  await expect(page.getByRole('heading', { name: 'No categories match "xyzzy"' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await expect(row(page, category)).toBeVisible()
})

// spec: 5.category.1, 5.category.2, 5.category.3, 5.category.4
test('an empty form names its four gaps, and nothing is sent', async ({ page }) => {
  await atDesk(page, PATH)
  const sent = listen(page, ADD_CATEGORY)
  await adding(page)
  await press(page, 'Add Category')
  for (const text of [
    'Category name is required',
    'Description is required',
    'Category image is required',
    'Category icon is required',
  ])
    await expect(errors(page).filter({ hasText: text })).toBeVisible()
  expect(sent).toEqual([])
})

// spec: 5.category.5, 5.category.6, 9.const.14
test(
  'a PDF and an 11 MB picture are refused for the image and for the icon',
  ON_DESKTOP,
  async ({ page }) => {
    await atDesk(page, PATH)
    const sent = listen(page, ADD_CATEGORY)
    await adding(page)
    const called = await fill(page)
    const pdf = { name: 'list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
    const large = { ...PHOTO, buffer: Buffer.concat([PHOTO.buffer, Buffer.alloc(11 * 1024 * 1024)]) }
    for (const field of [image, icon]) {
      await field(page).setInputFiles(pdf)
      await expect(errors(page).filter({ hasText: BAD_TYPE })).toHaveCount(1)
      await field(page).setInputFiles(large)
      await expect(errors(page).filter({ hasText: TOO_LARGE })).toHaveCount(1)
      await press(page, 'Add Category')
      expect(sent).toEqual([])
      await field(page).setInputFiles(PHOTO)
      await expect(errors(page)).toHaveCount(0)
    }
    await press(page, 'Add Category')
    await toast(page, 'Category added successfully')
    await expect(row(page, { name: called })).toBeVisible()
  },
)

const GIF = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
const WEBP = Buffer.from('UklGRhwAAABXRUJQVlA4TA8AAAAvAAAAAAcQ/Y/+ByKi/wEA', 'base64')
const KINDS = [
  { name: 'a.jpg', mimeType: 'image/jpeg', buffer: turnedPhoto(1) },
  { name: 'a.gif', mimeType: 'image/gif', buffer: GIF },
  { name: 'a.webp', mimeType: 'image/webp', buffer: WEBP },
]
// spec: 9.const.15
test('JPEG, GIF and WebP are taken for the image and for the icon', ON_DESKTOP, async ({ page }) => {
  const { seller } = await atDesk(page, PATH)
  for (const file of KINDS) {
    await adding(page)
    const called = await fill(page)
    await image(page).setInputFiles(file)
    await icon(page).setInputFiles(file)
    await expect(errors(page)).toHaveCount(0)
    await press(page, 'Add Category')
    await expect(row(page, { name: called })).toBeVisible()
    const all = await seller.must<(SellerCategory & { image: string; icon: string })[]>('GET', CATEGORIES)
    const made = all.find((each) => each.name === called)
    expect((await page.request.get(made?.image ?? '/nowhere')).status()).toBe(200)
    expect((await page.request.get(made?.icon ?? '/nowhere')).status()).toBe(200)
  }
})

// spec: 2.scategories.3, 7.seller.10, 8.success.11
test("added: 'Category added successfully', in the list and on /categories", async ({ page }) => {
  await atDesk(page, PATH)
  await adding(page)
  const called = await fill(page)
  const sent = page.waitForRequest(`**${ADD_CATEGORY}`)
  await press(page, 'Add Category')
  expect((await sent).headers()['content-type']).toContain('multipart/form-data')
  await toast(page, 'Category added successfully')
  await expect(dialog(page)).toHaveCount(0)
  await expect(row(page, { name: called })).toContainText('What the hills give.')
  await expect(async () => {
    await open(page, '/categories')
    await expect(page.getByRole('main').getByText(called)).toBeVisible({ timeout: 1_000 })
  }).toPass()
})

// spec: 2.scategories.3, 5.category.7, 7.seller.11, 8.success.12
test("saved without touching anything, and changed: 'Category updated successfully'", async ({ page }) => {
  const { category, seller } = await atCategory(page)
  await editing(page, category)
  await press(page, 'Save')
  await toast(page, 'Category updated successfully')
  await expect(dialog(page)).toHaveCount(0)
  await editing(page, category)
  await description(page).fill('Better said.')
  await press(page, 'Save')
  await expect(row(page, category)).toContainText('Better said.')
  expect(await now(seller, category)).toMatchObject({ name: category.name, description: 'Better said.' })
})

// spec: 2.scategories.3, 7.seller.12, 8.success.13
test("deleted after a question: 'Category deleted successfully'; Cancel does nothing", async ({ page }) => {
  const { category, seller } = await atCategory(page)
  await deleting(page, category)
  await expect(dialog(page)).toContainText(`"${category.name}" will be removed from the shop.`)
  const cancel = dialog(page).getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeFocused()
  await cancel.click()
  await expect(row(page, category)).toBeVisible()
  await (await deleting(page, category)).click()
  await toast(page, 'Category deleted successfully')
  await expect(rows(page)).toHaveCount(0)
  expect(await now(seller, category)).toBeUndefined()
})

test(
  'a category with products warns, is not deleted, and says how many use it',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { category, other, seller } = await atCategory(page)
    const button = await deleting(page, category)
    await addProduct(other, { category: category.name })
    await addProduct(other, { category: category.name })
    await button.click()
    await toast(page, 'Failed to delete category')
    await expect(dialog(page)).toContainText('2 products use this category.')
    expect(await now(seller, category)).toBeDefined()
    await page.reload()
    await takenOver(page)
    await deleting(page, category)
    await expect(dialog(page), 'said before it is tried').toContainText('2 products use this category.')
  },
)

test(
  'two sellers change the same category: the second is shown what the first did',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { category, other, seller } = await atCategory(page)
    await editing(page, category)
    await description(page).fill('As the second seller says.')
    await other.must(
      'PUT',
      UPDATE_CATEGORY + category.slug,
      formOf({ description: 'As the first seller says.' }),
    )
    await press(page, 'Save')
    const conflict = page.getByTestId('conflict')
    await expect(conflict).toContainText('Somebody else has changed this category since you opened it.')
    await expect(conflict).toContainText('As the first seller says.')
    expect(await now(seller, category)).toMatchObject({ description: 'As the first seller says.' })
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await toast(page, 'Category updated successfully')
    expect(await now(seller, category)).toMatchObject({ description: 'As the second seller says.' })
  },
)

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to fetch categories'],
  ['no connection', unreachable, 'Failed to load categories. Please try again.'],
] as const) {
  // spec: 8.seller.16, 8.seller.17
  test(
    `the list, ${way}: '${text}', and it can be tried again`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(BROKEN)
      await spoil(page, CATEGORIES)
      await atDesk(page, PATH)
      await toast(page, text)
      await page.unrouteAll()
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
      await expect(rows(page).first()).toBeVisible()
    },
  )
}

/** Each change up to its last press; what it says when the server says no, and a real reason for a no. */
const CHANGES = [
  {
    doing: 'adding',
    call: ADD_CATEGORY,
    failed: 'Failed to add category',
    come: async (page: Page, _: SellerCategory) => {
      await adding(page)
      await fill(page)
      return () => press(page, 'Add Category')
    },
    refusable: async (page: Page, taken: SellerCategory, _: Visitor) => name(page).fill(taken.name),
    reason: 'Another category has this name.',
  },
  {
    doing: 'updating',
    call: `${UPDATE_CATEGORY}*`,
    failed: 'Failed to update category',
    come: async (page: Page, category: SellerCategory) => {
      await editing(page, category)
      await description(page).fill('Better said.')
      return () => press(page, 'Save')
    },
    refusable: async (page: Page, _: SellerCategory, __: Visitor) => name(page).fill(BARE.name),
    reason: 'Another category has this name.',
  },
  {
    doing: 'deleting',
    call: `${DELETE_CATEGORY}*`,
    failed: 'Failed to delete category',
    come: async (page: Page, category: SellerCategory) => {
      const button = await deleting(page, category)
      return () => button.click()
    },
    refusable: async (_: Page, category: SellerCategory, other: Visitor) =>
      void (await addProduct(other, { category: category.name })),
    reason: '1 product uses this category.',
  },
] as const

for (const { doing, call, failed, come, refusable, reason } of CHANGES) {
  // spec: 8.seller.18, 8.seller.19, 8.seller.20
  test(
    `${doing}, refused: '${failed}', with the reason beside it`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(REFUSED)
      const { category, other } = await atCategory(page)
      const go = await come(page, category)
      await refusable(page, category, other)
      const answered = page.waitForResponse(`**${call}`)
      await go()
      expect((await answered).status()).toBe(409)
      await toast(page, failed)
      await expect(dialog(page)).toContainText(reason)
    },
  )

  // spec: 8.seller.22
  test(`${doing}, 500: '${INTERNAL}'`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(BROKEN)
    const { category } = await atCategory(page)
    await fault(page, call)
    await (await come(page, category))()
    await toast(page, INTERNAL)
    await page.unrouteAll()
  })

  test(`${doing}, 401: the server’s message`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { category, who } = await atCategory(page)
    const go = await come(page, category)
    endSession(who)
    const answered = page.waitForResponse(`**${call}`)
    await go()
    const answer = await answered
    expect(answer.status()).toBe(401)
    await toast(page, ((await answer.json()) as { message: string }).message)
  })
}

// spec: 8.seller.21
test("a 401 without a message: 'Unauthorized access'", ON_DESKTOP, async ({ page, allowConsole }) => {
  allowConsole(REFUSED)
  const { category } = await atCategory(page)
  // The server never leaves it empty; something between it and the browser may.
  await page.route(`**${DELETE_CATEGORY}*`, (route) =>
    route.fulfill({ status: 401, json: { success: false, message: '' } }),
  )
  await (await deleting(page, category)).click()
  await toast(page, 'Unauthorized access')
})

// spec: 8.seller.23
test(
  "a stopped server: 'An error occurred. Please try again.', and nothing typed is lost",
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(STOPPED)
    const shut = await atDeskThroughDoor(page, PATH)
    await adding(page)
    const called = await fill(page)
    await shut()
    await press(page, 'Add Category')
    await toast(page, 'An error occurred. Please try again.')
    await expect(name(page)).toHaveValue(called)
  },
)
