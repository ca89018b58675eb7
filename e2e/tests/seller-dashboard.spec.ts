import { readFile } from 'node:fs/promises'
import type { Download, Locator } from '@playwright/test'
import { newGoods } from '../support/checkout.ts'
import { bill, instanceUrls, order, ordersOf, setStatus } from '../support/orders.ts'
import { register, somebody, type Visitor } from '../support/people.ts'
import { newSeller, sellerSession } from '../support/seller.ts'
import {
  addProduct,
  changeProduct,
  openDashboard,
  productNow,
  unheard,
  wordOf,
} from '../support/seller-catalogue.ts'
import { expect, ON_DESKTOP, ON_ITS_OWN, open, servedByAll, test, toast } from '../support/shop.ts'

const numberIn = async (of: Locator) => Number((await of.textContent())?.replace(/^Rs\.|[^\d.]/g, ''))
const textOf = async (download: Promise<Download>) => readFile(await (await download).path(), 'utf8')

type Day = { date: string; orders: number; revenue: number }
type Overview = { madeAt: string; figures: Omit<Day, 'date'>; days: Day[] }
type CashByDay = { days: { date: string; cashCollected: number }[] }

/** The last thirty days as every instance has counted them since this call: each caches them for ten seconds. */
async function countedNow(seller: Visitor): Promise<Overview> {
  const called = Date.now()
  let overview: Overview | undefined
  for (const instance of instanceUrls())
    await expect
      .poll(async () => {
        const path = '/api/order/get_overview?days=30'
        overview = (await seller.call<Overview>('GET', path, undefined, {}, instance)).body.data
        return Date.parse(overview.madeAt)
      })
      .toBeGreaterThan(called)
  if (!overview) throw new Error('the shop has no instance')
  return overview
}

/** The days of which a figure has changed, by how much; `before` lacks a day that has begun since. */
function changes<Figure extends string>(
  figure: Figure,
  { days: before }: { days: ({ date: string } & Record<Figure, number>)[] },
  { days: after }: { days: ({ date: string } & Record<Figure, number>)[] },
): [date: string, by: number][] {
  return after
    .map(({ date, [figure]: now }): [string, number] => {
      const then = before.find((day) => day.date === date)?.[figure] ?? 0
      return [date, Math.round((now - then) * 100) / 100]
    })
    .filter(([, by]) => by !== 0)
}

test(
  'the overview counts a new order, and leads to what runs low and to what needs attention',
  ON_ITS_OWN,
  async ({ page }) => {
    const seller = await sellerSession()
    const lines: Parameters<typeof order>[1] = [[await newGoods(), 1]]
    await addProduct(seller, { stock: '1' })
    const before = await countedNow(seller)
    await order(await register(somebody()), lines)
    const after = await countedNow(seller)
    const [[date] = ['']] = changes('orders', before, after)
    expect(changes('orders', before, after)).toEqual([[date, 1]])
    expect(changes('revenue', before, after)).toEqual([[date, bill(lines).total / 100]])

    await seller.enter(page.context())
    await open(page, '/seller/overview')
    await page.getByRole('button', { name: '30 days' }).click()
    const orders = after.days.find((day) => day.date === date)?.orders
    await expect(page.locator(`.chart-orders [data-bar="${date}"]`)).toHaveAccessibleName(
      new RegExp(`: ${orders} orders?, Rs`),
    )
    const figure = (name: string) => page.getByTestId(`figure-${name}`).locator('dd').first()
    await expect.poll(() => numberIn(figure('orders'))).toBe(after.figures.orders)
    expect(await numberIn(figure('revenue'))).toBe(after.figures.revenue)
    await page.getByRole('button', { name: 'Show as a table' }).click()
    await expect(page.getByRole('main').getByRole('table').getByRole('row')).toHaveCount(31)
    await expect(page.getByTestId('top-product').first()).toBeVisible()
    const main = page.getByRole('main')
    await main.getByRole('link', { name: /low-stock/ }).click()
    await expect(page).toHaveURL(/stock=low/)
    await page.goBack()
    await main.getByRole('link', { name: /Needs attention/ }).click()
    await expect(page).toHaveURL('/seller/attention')
  },
)

test(
  'the money report counts the cash of a delivered order and is downloaded',
  ON_ITS_OWN,
  async ({ page }) => {
    const seller = await sellerSession()
    const report = () => seller.must<CashByDay>('GET', '/api/order/money_report')
    const lines: Parameters<typeof order>[1] = [[await newGoods(), 1]]
    const placed = await order(await register(somebody()), lines)
    const before = await report()
    await setStatus(seller, placed, 'Delivered')
    const after = await report()
    const [[date] = ['']] = changes('cashCollected', before, after)
    expect(changes('cashCollected', before, after)).toEqual([[date, bill(lines).total / 100]])

    await seller.enter(page.context())
    await open(page, '/seller/money')
    const days = page.getByRole('table', { name: 'By day' }).locator('tbody tr')
    const day = days.filter({ has: page.locator(`time[datetime="${date}"]`) })
    await expect
      .poll(() => numberIn(day.getByRole('cell').last()))
      .toBe(after.days.find((each) => each.date === date)?.cashCollected)
    await expect(days).toHaveCount(7)
    const coming = page.waitForEvent('download')
    await page.getByRole('main').getByText('Download CSV').click()
    expect((await textOf(coming)).trim().split('\r\n').length).toBeGreaterThanOrEqual(8)
  },
)

test(
  'an order that was cancelled on its way needs attention until it is marked as handled',
  ON_DESKTOP,
  async ({ page }) => {
    const placed = await order(await register(somebody()), [[await newGoods(), 1]])
    const { seller } = await openDashboard(page, '/seller/attention')
    await setStatus(seller, placed, 'Order Shipped')
    await setStatus(seller, placed, 'Cancelled')
    const waiting = page.getByTestId('case').filter({ hasText: placed.orderId })
    await expect(waiting).toContainText('Cancelled after shipping: the items must come back.')
    await waiting.getByRole('button', { name: 'Mark as handled' }).click()
    await toast(page, 'Marked as handled.')
    await expect(waiting).toHaveCount(0)
    await page.getByRole('button', { name: 'Handled', exact: true }).click()
    await expect(waiting).toHaveAttribute('data-closed', 'true')
  },
)

test(
  'a changed setting is saved, shown to shoppers, and guarded against leaving unsaved',
  ON_ITS_OWN,
  async ({ page }) => {
    type Settings = Record<string, unknown> & { version: string }
    const { seller } = await openDashboard(page, '/seller/settings')
    const first = await seller.must<Settings>('GET', '/api/shop/get_settings')
    const officer = page.getByRole('group', { name: 'Grievance officer', exact: true }).getByLabel('Name')
    const name = `Gita ${unheard()}`
    try {
      await officer.fill(name)
      await expect(page.getByText('You have unsaved changes.')).toBeVisible()
      const orders = page.getByRole('navigation', { name: 'Seller' }).getByRole('link', { name: 'Orders' })
      await orders.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
      await expect(page).toHaveURL('/seller/settings')
      await page.getByRole('main').getByRole('button', { name: 'Save changes' }).click()
      await toast(page, 'Settings saved.')
      await orders.click()
      await expect(page).toHaveURL('/seller/orders')
      await servedByAll('/about', name)
      await open(page, '/about')
      await expect(page.getByRole('main')).toContainText(name)
    } finally {
      const { version } = await seller.must<Settings>('GET', '/api/shop/get_settings')
      await seller.must('PUT', '/api/shop/update_settings', { ...first, version })
    }
  },
)

test(
  'a subscriber is found by part of the address, and is in the downloaded list',
  ON_DESKTOP,
  async ({ page }) => {
    const { seller } = await openDashboard(page, '/seller')
    const [one, two] = [`reader-${unheard()}@example.com`, `reader-${unheard()}@example.com`]
    for (const email of [one, two])
      expect((await seller.call('POST', '/api/subscriber/add_subscriber', { email })).status).toBe(200)
    await open(page, '/seller/newsletter')
    const main = page.getByRole('main')
    await expect(main).toContainText(two)
    await main.getByRole('searchbox').fill(one.slice(7, 15).toUpperCase())
    await expect(main).not.toContainText(two)
    await expect(main).toContainText(one)
    const coming = page.waitForEvent('download')
    await main.getByRole('button', { name: 'Download CSV' }).click()
    const line = (await textOf(coming)).split('\r\n').find((each) => each.includes(two))
    expect(line).toMatch(/,"(en|ne)","\d{4}-\d\d-\d\d/)
  },
)

test(
  'the audit log says who changed what, and is searched by the product’s name',
  ON_DESKTOP,
  async ({ page }) => {
    const other = await sellerSession(newSeller())
    const product = await addProduct(other)
    await changeProduct(other, product, { price: '133' })
    await openDashboard(page, '/seller/audit')
    const main = page.getByRole('main')
    await main.getByRole('searchbox').fill(wordOf(product))
    const entries = main.getByTestId('audit-entry').filter({ hasText: product.name })
    const entry = entries.filter({ hasText: 'Product changed' })
    for (const text of [product.name, 'Sita', '120.00', '133.00']) await expect(entry).toContainText(text)
    await main.getByRole('searchbox').fill('xyzzy')
    await expect(main).not.toContainText(product.name)
  },
)

// At phone width the pages are behind 'More', and tables are cards.
test('on a phone a seller reaches every page, changes a price and sets the status of an order', async ({
  page,
}) => {
  const product = await addProduct(await sellerSession())
  const session = await register(somebody())
  const placed = await order(session, [[await newGoods(), 1]])
  const { seller } = await openDashboard(page, `/seller?search=${wordOf(product)}`)
  await page.getByRole('button', { name: `change the price of ${product.name}` }).click()
  await page.getByLabel(`New price of ${product.name} in rupees`).fill('135')
  await page.keyboard.press('Enter')
  await toast(page, 'Product updated successfully!')
  expect((await productNow(seller, product)).price).toBe(135)

  const nav = page.getByRole('navigation', { name: 'Seller' })
  for (const [name, path] of [
    ['Overview', '/seller/overview'],
    ['Needs attention', '/seller/attention'],
    ['Money', '/seller/money'],
    ['Settings', '/seller/settings'],
    ['Newsletter', '/seller/newsletter'],
    ['Audit log', '/seller/audit'],
    ['Security', '/seller/security'],
  ] as const) {
    await nav.getByRole('button', { name: 'More' }).click()
    await page.getByRole('dialog').getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

  await nav.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('main').getByLabel('Search by order id or status').fill(placed.orderId)
  const card = page.getByTestId('order-card')
  await expect(card).toHaveCount(1)
  await card.getByRole('heading', { level: 2 }).getByRole('button').click()
  await page
    .getByRole('combobox', { name: `Order status for #${placed.orderId}` })
    .selectOption('Order Confirmed')
  await toast(page, 'Order status updated successfully!')
  expect((await ordersOf(session))[0]?.status).toBe('Order Confirmed')
})
