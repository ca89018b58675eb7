import type { Locator, Page } from '@playwright/test'
import { fiveHundred, oneRupee, thirds } from '../support/database.ts'
import {
  ALL,
  bill,
  copies,
  noNews,
  type Order,
  order,
  ordersOf,
  SET_STATUS,
  STATUSES,
  setStatus,
} from '../support/orders.ts'
import { fault, register, somebody, unreachable, unsuccessful } from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import { BROKEN, expect, ON_DESKTOP, ON_PHONE, open, takenOver, test, toast } from '../support/shop.ts'

const cards = (page: Page) => page.getByTestId('order-card')
const card = (page: Page, { orderId }: Pick<Order, 'orderId'>) => cards(page).filter({ hasText: orderId })
const header = (within: Locator) => within.getByRole('heading', { level: 2 }).getByRole('button')
const search = (page: Page) => page.getByRole('main').getByLabel('Search by order id or status')
const selector = (page: Page, { orderId }: Pick<Order, 'orderId'>) =>
  page.getByRole('combobox', { name: `Order status for #${orderId}` })

/** A shopper's order, a seller at the desk in this browser, and the order's card, found and opened. */
async function atDesk(page: Page, lines = [[fiveHundred(), 1]] as Parameters<typeof order>[1]) {
  const session = await register(somebody())
  const placed = await order(session, lines)
  const seller = await sellerSession()
  await seller.enter(page.context())
  await open(page, '/seller/orders')
  await find(page, placed)
  return { session, placed, seller }
}

/** Other tests place orders too: what is meant is found by its id. */
async function find(page: Page, placed: Order) {
  await search(page).fill(placed.orderId)
  await expect(cards(page)).toHaveCount(1)
  const button = header(card(page, placed))
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await expect(selector(page, placed)).toBeVisible()
}

// spec: 2.sorders.2, 2.sorders.3, 2.sorders.4, 2.sorders.5, 4.status.3, 9.const.8, 9.const.9
test('an order opens to tracking number, delivery date, status, items with dollar prices, selector and timeline', async ({
  page,
}) => {
  const [goods, third] = [fiveHundred(), thirds()]
  const lines: Parameters<typeof order>[1] = [
    [goods, 1],
    [third, 2],
  ]
  const { placed } = await atDesk(page, lines)
  const shown = card(page, placed)
  await expect(shown).toContainText(placed.trackingNumber)
  await expect(shown.getByText('Order Placed').first()).toBeVisible()
  for (const text of [goods.name, third.name, '$500.00', '$333.33', (bill(lines).total / 100).toFixed(2)])
    await expect(shown).toContainText(text)
  await expect(shown.getByLabel(`Delivery date for #${placed.orderId}`)).toHaveValue(placed.deliveryDate)
  expect(await selector(page, placed).getByRole('option').allTextContents()).toEqual([...STATUSES])
  await expect(selector(page, placed)).toHaveValue('Order Placed')
  const timeline = shown.getByTestId('timeline')
  await expect(timeline.getByRole('listitem')).toHaveCount(1)
  await expect(shown.getByTestId('order-item')).toHaveCount(2)
  await expect(shown.getByTestId('order-item').filter({ hasText: third.name })).toContainText('2 × $333.33')
  for (const item of await shown.getByTestId('order-item').all())
    await expect(item.locator('img, svg').first()).toBeAttached()
})

// spec: 2.sorders.1, 5.search.6
test('the search finds part of an order id and part of a status; nothing found can be cleared', async ({
  page,
}) => {
  const { placed, seller } = await atDesk(page)
  await setStatus(seller, placed, 'Delivered')
  await search(page).fill(placed.orderId.slice(2).toLowerCase())
  await expect(card(page, placed)).toBeVisible()
  await search(page).fill('deliv')
  await expect(card(page, placed)).toBeVisible()
  // Until the answer is there, the list before it stays.
  await expect(async () => {
    for (const text of await cards(page).getByTestId('order-status').allTextContents())
      expect(text).toMatch(/^(Delivered|Out for Delivery)$/)
  }).toPass({ timeout: 5_000 })
  await search(page).fill('xyzzy')
  await expect(cards(page)).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await expect(search(page)).toHaveValue('')
  await expect(cards(page).first()).toBeVisible()
})

// spec: 4.status.4, 7.seller.8, 8.success.10
test(
  "any status at any time: 'Order status updated successfully!' each time, and the timeline grows",
  ON_PHONE,
  async ({ page }) => {
    const { placed, session } = await atDesk(page)
    let entries = 1
    for (const status of ['Delivered', 'Order Placed', 'Cancelled'] as const) {
      const asked = page.waitForRequest(`**${SET_STATUS}`)
      await selector(page, placed).selectOption(status)
      expect((await asked).postDataJSON()).toMatchObject({ orderId: placed._id, status })
      await toast(page, 'Order status updated successfully!')
      await expect(selector(page, placed)).toHaveValue(status)
      entries += 1
      await expect(card(page, placed).getByTestId('timeline').getByRole('listitem')).toHaveCount(entries)
    }
    expect(await ordersOf(session)).toMatchObject([{ status: 'Cancelled' }])
  },
)

test(
  'cancelled after it was sent: accepted, and the order asks for attention',
  ON_DESKTOP,
  async ({ page }) => {
    const { placed, seller } = await atDesk(page)
    await setStatus(seller, placed, 'Order Shipped')
    await expect(selector(page, placed)).toHaveValue('Order Shipped')
    await selector(page, placed).selectOption('Cancelled')
    await toast(page, 'Order status updated successfully!')
    await expect(card(page, placed)).toContainText(
      'Cancelled after it was sent: the goods have to come back.',
    )
  },
)

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to update order status.'],
  ['no connection', unreachable, 'An error occurred while updating the order status. Please try again.'],
] as const) {
  // spec: 8.seller.13, 8.seller.15
  test(
    `changing a status, ${way}: '${text}', and the old one is shown again`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(BROKEN)
      const { placed, session } = await atDesk(page)
      await spoil(page, SET_STATUS)
      await selector(page, placed).selectOption('Delivered')
      await toast(page, text)
      await expect(selector(page, placed)).toHaveValue('Order Placed')
      expect(await ordersOf(session)).toMatchObject([{ status: 'Order Placed' }])
    },
  )
}

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to fetch orders.'],
  ['a broken server', fault, 'An error occurred while fetching orders. Please try again.'],
] as const) {
  // spec: 8.seller.12, 8.seller.14
  test(`the list, ${way}: '${text}', and Try again`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(BROKEN)
    const session = await register(somebody())
    await order(session, [[oneRupee(), 1]])
    await (await sellerSession()).enter(page.context())
    await noNews(page)
    await spoil(page, `${ALL}*`)
    await open(page, '/seller/orders')
    await toast(page, text)
    await page.unroute(`**${ALL}*`)
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expect(cards(page).first()).toBeVisible()
  })
}

test(
  'a new order and a change at another copy of the shop show within two seconds, the former with a soft notice',
  ON_DESKTOP,
  async ({ page }) => {
    const [here, there] = copies()
    const shopper = await register(somebody())
    const first = await order(shopper, [[oneRupee(), 1]])
    const seller = await sellerSession()
    await seller.enter(page.context())
    const listening = page.waitForResponse('**/api/order/live_all')
    await page.goto(`${here}/seller/orders`)
    await takenOver(page)
    await expect(card(page, first)).toBeVisible()
    expect((await listening).headers()['content-type']).toContain('text/event-stream')
    await page.waitForTimeout(300)

    await setStatus(seller, first, 'Out for Delivery', there)
    const changed = Date.now()
    await expect(card(page, first)).toContainText('Out for Delivery', { timeout: 2_000 })
    expect(Date.now() - changed).toBeLessThan(2_000)

    const second = await order(shopper, [[oneRupee(), 2]])
    const placed = Date.now()
    await expect(page.getByText(new RegExp(`New order ${second.orderId}|new orders?`)).first()).toBeVisible({
      timeout: 2_000,
    })
    expect(Date.now() - placed).toBeLessThan(2_000)
    const show = page.getByRole('button', { name: 'Show' })
    if (await show.isVisible()) await show.click()
    await expect(card(page, second)).toBeVisible()
  },
)
