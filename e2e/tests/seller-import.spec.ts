import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { DESK_SHELF } from '../support/database.ts'
import {
  addProduct,
  atDesk,
  changeProduct,
  EXPORT,
  endSession,
  IMPORT,
  INTERNAL,
  productNow,
  type SellerProduct,
  unheard,
} from '../support/desk.ts'
import { fault, unreachable } from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import { BROKEN, expect, listen, ON_DESKTOP, open, REFUSED, takenOver, test, toast } from '../support/shop.ts'

const PATH = '/seller/import'
const COLUMNS =
  'slug,name,name_ne,category,description,description_ne,price,stock,stock_was,rating,reviews,tags,tags_ne,aliases,unit_amount,unit_measure,unit_label,unit_label_ne,tax_class,version'
const card = (page: Page) => page.getByTestId('import')
const rows = (page: Page) => page.getByTestId('import-row')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const csv = (lines: string[]) => ({
  name: `goods-${unheard()}.csv`,
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`),
})

/** Sends the file and waits until the shop has looked through it. */
async function send(page: Page, lines: string[], state = 'checked') {
  const file = csv(lines)
  await page.getByLabel('CSV file').setInputFiles(file)
  await expect(card(page)).toHaveAttribute('data-state', state, { timeout: 15_000 })
  await expect(card(page)).toContainText(file.name)
  return file.name
}

async function apply(page: Page) {
  await card(page).getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
}

const lineOf = ({ slug, name, version }: SellerProduct, price: string) =>
  `${slug},${name},${price},${version}`
const HEAD = 'slug,name,price,version'

test(
  'the list offers the export: every product as a row, UTF-8, with the columns that an import takes',
  ON_DESKTOP,
  async ({ page }) => {
    const product = await addProduct(await sellerSession(), {
      tags: 'fresh, local',
      aliases: '=HYPERLINK("x")',
    })
    await atDesk(page, '/seller')
    const coming = page.waitForEvent('download')
    await page.getByRole('main').getByRole('button', { name: 'Export CSV' }).click()
    const download = await coming
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text.startsWith(`\uFEFF${COLUMNS}`)).toBe(true)
    const line = text.split('\r\n').find((each) => each.startsWith(`${product.slug},`)) ?? ''
    expect(line).toContain('fresh | local')
    expect(line, 'a spreadsheet must not calculate what shoppers search for').toContain("'=HYPERLINK")
    await page.getByRole('main').getByRole('link', { name: 'Import' }).click()
    await expect(page).toHaveURL(PATH)
  },
)

test('a file is checked first: new, changed, same; applied, the shop has it, and the import is among the recent ones', async ({
  page,
}) => {
  const maker = await sellerSession()
  const [changed, same] = [await addProduct(maker), await addProduct(maker)]
  const { seller } = await atDesk(page, PATH)
  const name = `Crate ${unheard()}`
  const sent = listen(page, IMPORT)
  const file = await send(page, [
    'slug,name,category,price,stock,version',
    `${changed.slug},${changed.name},${DESK_SHELF.name},150,42,${changed.version}`,
    `${same.slug},${same.name},${DESK_SHELF.name},120,42,${same.version}`,
    `,${name},${DESK_SHELF.name},75.50,12,`,
  ])
  expect(sent).toHaveLength(1)
  const chip = (text: RegExp) =>
    page.getByRole('navigation', { name: 'Show rows' }).getByRole('button', { name: text })
  for (const [text, count] of [
    [/^New/, '1'],
    [/^Changed/, '1'],
    [/^Same/, '1'],
    [/^Errors/, '0'],
    [/^All rows/, '3'],
  ] as const)
    await expect(chip(text).locator('.chip-count')).toHaveText(count)
  await expect(row(page, changed.slug)).toContainText('120')
  await expect(row(page, changed.slug)).toContainText('150')
  await expect(row(page, changed.slug)).toContainText('2')
  await expect(row(page, name)).toContainText('new')
  await chip(/^Same/).click()
  await expect(rows(page)).toHaveCount(1)
  expect((await productNow(seller, changed)).price, 'nothing happens before it is applied').toBe(120)

  await apply(page)
  await expect(card(page)).toHaveAttribute('data-state', 'applied', { timeout: 15_000 })
  await expect(card(page)).toContainText('All changes are in the shop.')
  expect(await productNow(seller, changed)).toMatchObject({ price: 150, stock: 42 })
  await expect(page.getByRole('region', { name: 'Recent imports' })).toContainText(file)
  await open(page, `/seller?search=${name.split(' ').at(-1)}`)
  await expect(page.getByTestId('product-row')).toContainText('Rs. 75.50')
})

test('a reload goes on with the same file', ON_DESKTOP, async ({ page }) => {
  const product = await addProduct(await sellerSession())
  await atDesk(page, PATH)
  const file = await send(page, [HEAD, lineOf(product, '150')])
  await page.reload()
  await takenOver(page)
  await expect(card(page)).toContainText(file)
  await expect(row(page, product.slug)).toContainText('150')
})

test('rows with errors are named by row, column and reason, come first, and nothing can be applied', async ({
  page,
}) => {
  const maker = await sellerSession()
  const [good, bad] = [await addProduct(maker), await addProduct(maker)]
  const { seller } = await atDesk(page, PATH)
  await send(page, [
    'slug,name,category,price,rating,stock',
    `${good.slug},${good.name},${DESK_SHELF.name},150,,42`,
    `${bad.slug},${bad.name},No Such Shelf,cheap,5.1,42`,
    `,,${DESK_SHELF.name},10,,1`,
  ])
  await expect(
    page.getByRole('navigation', { name: 'Show rows' }).getByRole('button', { name: /^Errors/ }),
  ).toHaveAttribute('aria-current', 'true')
  await expect(rows(page)).toHaveCount(2)
  const third = row(page, bad.slug)
  await expect(third.locator('.import-number')).toContainText('3')
  for (const column of ['category', 'price', 'rating'])
    await expect(
      third.locator('.import-error').filter({ has: page.getByText(column, { exact: true }) }),
    ).toHaveCount(1)
  await expect(rows(page).nth(1).locator('.import-number')).toContainText('4')
  await expect(rows(page).nth(1).locator('.import-error')).toContainText('name')
  await expect(card(page)).toContainText('2 rows have errors.')
  await expect(card(page).getByRole('button', { name: 'Apply', exact: true })).toBeDisabled()
  expect((await productNow(seller, good)).price).toBe(120)
})

for (const [what, lines] of [
  ['without a header', ['Rice,10', 'Oil,20']],
  ['with an unknown column', ['slug,name,colour', 'x,y,red']],
  ['empty', []],
] as const) {
  test(`a file ${what} is refused as a whole, with the reason`, ON_DESKTOP, async ({ page }) => {
    await atDesk(page, PATH)
    await send(page, [...lines], 'refused')
    await expect(card(page).locator('.form-problem')).toContainText(
      'The file could not be read. Nothing was changed.',
    )
    const said = (await card(page).locator('#import-said').textContent()) ?? ''
    expect(said.length, 'the shop says why').toBeGreaterThan(
      'The file could not be read. Nothing was changed.'.length + 5,
    )
    await card(page).getByRole('link', { name: 'Import another file' }).click()
    await expect(page.getByLabel('CSV file')).toBeAttached()
  })
}

test('a spreadsheet that is no CSV is not even sent', ON_DESKTOP, async ({ page }) => {
  await atDesk(page, PATH)
  const sent = listen(page, IMPORT)
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'goods.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK') })
  await expect(page.locator('.field-error')).toContainText('This is not a CSV file.')
  expect(sent).toEqual([])
})

test('a file that changes nothing says so', ON_DESKTOP, async ({ page }) => {
  const product = await addProduct(await sellerSession())
  await atDesk(page, PATH)
  await send(page, [HEAD, lineOf(product, '120')])
  await expect(card(page)).toContainText('The file changes nothing: everything in it is already so.')
  await expect(card(page).getByRole('button', { name: 'Apply', exact: true })).toBeDisabled()
})

test('what somebody else changed since the export is an error of its row', ON_DESKTOP, async ({ page }) => {
  const maker = await sellerSession()
  const product = await addProduct(maker)
  await changeProduct(maker, product, { name: `${product.name} anew` })
  await atDesk(page, PATH)
  await send(page, [HEAD, lineOf(product, '150')])
  await expect(row(page, product.slug).locator('.import-error')).toContainText('version')
})

test(
  'what somebody changes between checking and applying stops it: nothing is written',
  ON_DESKTOP,
  async ({ page }) => {
    const maker = await sellerSession()
    const [one, two] = [await addProduct(maker), await addProduct(maker)]
    const { seller } = await atDesk(page, PATH)
    await send(page, [HEAD, lineOf(one, '150'), lineOf(two, '160')])
    await changeProduct(maker, two, { description: 'Changed meanwhile.' })
    await apply(page)
    await expect(card(page)).toHaveAttribute('data-state', 'failed', { timeout: 15_000 })
    await expect(card(page)).toContainText('Nothing was written.')
    expect((await productNow(seller, one)).price).toBe(120)
    expect((await productNow(seller, two)).price).toBe(120)
  },
)

test('what is sold between export and import stays sold', ON_DESKTOP, async ({ page }) => {
  const maker = await sellerSession()
  const product = await addProduct(maker, { stock: '20' })
  const { seller } = await atDesk(page, PATH)
  await changeProduct(maker, product, { stock: '15', stockWas: '20' })
  await send(page, ['slug,stock,stock_was', `${product.slug},30,20`])
  await apply(page)
  await expect(card(page)).toHaveAttribute('data-state', 'applied', { timeout: 15_000 })
  expect((await productNow(seller, product)).stock).toBe(25)
})

test('an import can be cancelled', ON_DESKTOP, async ({ page }) => {
  const product = await addProduct(await sellerSession())
  const { seller } = await atDesk(page, PATH)
  await send(page, [HEAD, lineOf(product, '150')])
  await card(page).getByRole('button', { name: 'Cancel import' }).click()
  await expect(card(page)).toHaveAttribute('data-state', 'cancelled')
  expect((await productNow(seller, product)).price).toBe(120)
})

test(
  'sending that fails is said: a broken server, no connection, a session that has ended',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(BROKEN, REFUSED)
    const { who } = await atDesk(page, PATH)
    const choose = () => page.getByLabel('CSV file').setInputFiles(csv([HEAD]))
    await fault(page, IMPORT)
    await choose()
    await toast(page, INTERNAL)
    await page.unrouteAll()
    await unreachable(page, IMPORT)
    await choose()
    await toast(page, 'No response from server. Please try again.')
    await page.unrouteAll()
    endSession(who)
    const answered = page.waitForResponse(`**${IMPORT}`)
    await choose()
    const answer = await answered
    expect(answer.status()).toBe(401)
    await toast(page, ((await answer.json()) as { message: string }).message)
  },
)

test('an export that fails is said, and no file is saved', ON_DESKTOP, async ({ page, allowConsole }) => {
  allowConsole(BROKEN)
  await atDesk(page, '/seller')
  await fault(page, EXPORT)
  await page.getByRole('main').getByRole('button', { name: 'Export CSV' }).click()
  await toast(page, INTERNAL)
  await page.unrouteAll()
})
