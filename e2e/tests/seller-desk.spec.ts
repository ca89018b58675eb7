import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { fiveHundred, type Goods, ownGoods, stockOf, thirds } from '../support/database.ts'
import { atDesk, INTERNAL } from '../support/desk.ts'
import {
  bill,
  type Order,
  order,
  ordersOf,
  rupees,
  SET_STATUS,
  STATUSES,
  type Status,
  setStatus,
} from '../support/orders.ts'
import {
  fault,
  HOME_ADDRESS,
  register,
  somebody,
  unreachable,
  unsuccessful,
  type Visitor,
} from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import { BROKEN, expect, listen, ON_DESKTOP, ON_PHONE, takenOver, test, toast } from '../support/shop.ts'

const PATH = '/seller/orders'
const BULK = '/api/order/update_order_statuses'
const SHEET = '/api/order/get_delivery_sheet'
const cards = (page: Page) => page.getByTestId('order-card')
const card = (page: Page, { orderId }: Pick<Order, 'orderId'>) => cards(page).filter({ hasText: orderId })
const head = (page: Page, placed: Pick<Order, 'orderId'>) =>
  card(page, placed).getByRole('heading', { level: 2 }).getByRole('button')
const search = (page: Page) => page.getByRole('main').getByLabel('Search by order id or status')
const selector = (page: Page, { orderId }: Pick<Order, 'orderId'>) =>
  page.getByRole('combobox', { name: `Order status for #${orderId}` })
const chip = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Filter by status' })
    .getByRole('button', { name: new RegExp(`^${name}`) })
const tick = (page: Page, { orderId }: Pick<Order, 'orderId'>) => page.getByLabel(`Select order #${orderId}`)
const bulk = (page: Page) => page.getByTestId('bulk')
const statusOf = async (session: Visitor, { _id }: Order) =>
  (await ordersOf(session)).find((each) => each._id === _id)?.status

/** Some orders of one shopper, the newest last, and a seller at the desk who sees them first. */
async function atOrders(page: Page, count: number, goods: Goods = fiveHundred()) {
  const session = await register(somebody())
  const placed: Order[] = []
  for (let n = 0; n < count; n++) placed.push(await order(session, [[goods, 1]]))
  const { seller } = await atDesk(page, PATH)
  for (const each of placed) await expect(card(page, each)).toBeVisible()
  return { session, placed: placed as [Order, Order, ...Order[]], seller }
}

test('the chips filter by status, say how many there are, and stand in the address', async ({ page }) => {
  const {
    placed: [one, two],
    seller,
  } = await atOrders(page, 2)
  await setStatus(seller, two, 'Order Confirmed')
  await expect(chip(page, 'All').locator('.chip-count')).toHaveText(/^[\d,]+\+?$/)
  for (const status of STATUSES)
    await expect(chip(page, status).locator('.chip-count')).toHaveText(/^[\d,]+\+?$/)
  await chip(page, 'Order Confirmed').click()
  await expect(card(page, two)).toBeVisible()
  await expect(card(page, one)).toHaveCount(0)
  await expect(page).toHaveURL(/status=Order(\+|%20)Confirmed/)
  await page.reload()
  await takenOver(page)
  await expect(chip(page, 'Order Confirmed')).toHaveAttribute('aria-current', 'true')
  await search(page).fill(one.orderId)
  await expect(cards(page)).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await expect(card(page, one)).toBeVisible()
})

test(
  'an order that changes its status leaves the chip that it was under, and the counts follow',
  ON_DESKTOP,
  async ({ page }) => {
    const {
      placed: [one],
      session,
    } = await atOrders(page, 1)
    await chip(page, 'Order Placed').click()
    await head(page, one).click()
    await selector(page, one).selectOption('Order Shipped')
    await toast(page, 'Order status updated successfully!')
    await chip(page, 'Order Shipped').click()
    await expect(card(page, one)).toBeVisible()
    await chip(page, 'Order Placed').click()
    await expect(card(page, one)).toHaveCount(0)
    expect(await statusOf(session, one)).toBe('Order Shipped')
  },
)

test(
  'through the orders by keyboard: j, x, Enter, s, a number with a change of mind, Undo and ?',
  ON_DESKTOP,
  async ({ page }) => {
    const {
      placed: [here],
      session,
    } = await atOrders(page, 1)
    // Alone in the list, so that another test's new order does not come between.
    await search(page).fill(here.orderId)
    await expect(cards(page)).toHaveCount(1)
    // Out of the field, where a key is a letter.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(help).toContainText('Set status to "Delivered"')
    await page.keyboard.press('Escape')
    await expect(help).toHaveCount(0)

    await page.keyboard.press('j')
    await expect(head(page, here)).toBeFocused()
    await page.keyboard.press('x')
    await expect(tick(page, here)).toBeChecked()
    await page.keyboard.press('x')
    await expect(tick(page, here)).not.toBeChecked()
    await page.keyboard.press('Enter')
    await expect(selector(page, here)).toBeVisible()
    await page.keyboard.press('s')
    await expect(selector(page, here)).toBeFocused()

    await page.keyboard.press('Shift+Tab')
    await expect(head(page, here)).toBeFocused()
    const sent = listen(page, SET_STATUS)
    await page.keyboard.press('5')
    await page.keyboard.press('2')
    await toast(page, 'Order status updated successfully!')
    expect(sent.map((request) => request.postDataJSON().status)).toEqual(['Order Confirmed'])
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => statusOf(session, here)).toBe('Order Placed')
  },
)

test('keys can be switched off, and stay off', ON_DESKTOP, async ({ page }) => {
  await atOrders(page, 1)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByLabel('Use keyboard shortcuts').uncheck()
  await page.keyboard.press('Escape')
  await page.reload()
  await takenOver(page)
  await expect(cards(page).first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('.order-head:focus')).toHaveCount(0)
})

test('one status for many orders: each is changed by itself, and what became of them is told', async ({
  page,
}) => {
  const { placed, session } = await atOrders(page, 3)
  for (const each of placed) await tick(page, each).check()
  await bulk(page).getByLabel('Set status of 3 orders to').selectOption('Order Confirmed')
  const asked = page.waitForRequest(`**${BULK}`)
  await bulk(page).getByRole('button', { name: 'Set status' }).click()
  const body = (await asked).postDataJSON() as { orderIds: string[]; status: string }
  expect(body.status).toBe('Order Confirmed')
  expect([...body.orderIds].sort()).toEqual(placed.map(({ _id }) => _id).sort())
  const outcome = page.getByTestId('bulk-outcome')
  await expect(outcome).toContainText('3 orders are now "Order Confirmed".')
  await expect(outcome).toBeFocused()
  await expect(bulk(page)).toHaveCount(0)
  for (const each of placed) {
    await expect(card(page, each).getByTestId('order-status')).toHaveText('Order Confirmed')
    expect(await statusOf(session, each)).toBe('Order Confirmed')
  }
})

test('cancelling many is asked about first, and the goods go back', ON_DESKTOP, async ({ page }) => {
  const goods = ownGoods({ stock: 5 })
  const { placed, session } = await atOrders(page, 2, goods)
  expect(stockOf(goods)).toBe(3)
  const sent = listen(page, BULK)
  for (const each of placed) await tick(page, each).check()
  await bulk(page).getByRole('combobox').selectOption('Cancelled')
  await bulk(page).getByRole('button', { name: 'Set status' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel 2 orders?' })
  await question.getByRole('button', { name: 'Keep them' }).click()
  expect(sent).toEqual([])
  await bulk(page).getByRole('button', { name: 'Set status' }).click()
  await question.getByRole('button', { name: 'Cancel 2 orders' }).click()
  await expect(page.getByTestId('bulk-outcome')).toContainText('2 orders are now "Cancelled".')
  for (const each of placed) expect(await statusOf(session, each)).toBe('Cancelled')
  expect(stockOf(goods)).toBe(5)
})

test('an order that needs a look afterwards is named', ON_DESKTOP, async ({ page }) => {
  const { placed, seller } = await atOrders(page, 2)
  await setStatus(seller, placed[0], 'Order Shipped')
  for (const each of placed) await tick(page, each).check()
  await bulk(page).getByRole('combobox').selectOption('Cancelled')
  await bulk(page).getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 orders' }).click()
  const outcome = page.getByTestId('bulk-outcome')
  await expect(outcome).toContainText('1 order needs a look:')
  await expect(outcome.getByRole('listitem')).toContainText(placed[0].orderId)
})

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to update order status.'],
  ['no connection', unreachable, 'An error occurred while updating the order status. Please try again.'],
  ['a broken server', fault, 'An error occurred while updating the order status. Please try again.'],
] as const) {
  test(
    `many at once, ${way}: '${text}', and they stay selected`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(BROKEN)
      const {
        placed: [one],
        session,
      } = await atOrders(page, 1)
      await spoil(page, BULK)
      await tick(page, one).check()
      await bulk(page).getByRole('combobox').selectOption('Delivered')
      await bulk(page).getByRole('button', { name: 'Set status' }).click()
      await toast(page, text)
      await expect(tick(page, one)).toBeChecked()
      expect(await statusOf(session, one)).toBe('Order Placed')
      expect(text).not.toBe(INTERNAL)
    },
  )
}

/** What the printer would be given: the page as paper sees it. */
async function printed(page: Page) {
  await page.evaluate(() => {
    Object.assign(window, { print: () => Object.assign(window, { wasPrinted: true }) })
  })
}
const wasPrinted = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => (window as unknown as { wasPrinted?: boolean }).wasPrinted))
    .toBe(true)

test('a packing slip on paper: number, name, phone, address, items and the cash to collect, and nothing else', async ({
  page,
}) => {
  const session = await register(somebody())
  const lines: [Goods, number][] = [
    [fiveHundred(), 1],
    [thirds(), 2],
  ]
  const placed = await order(session, lines)
  await atDesk(page, PATH)
  await printed(page)
  await head(page, placed).click()
  await card(page, placed).getByRole('button', { name: 'Print packing slip' }).click()
  await wasPrinted(page)
  await page.emulateMedia({ media: 'print' })
  const slip = page.getByTestId('slip')
  await expect(slip).toHaveCount(1)
  for (const text of [
    placed.orderId,
    'Ram Bahadur',
    '9841234567',
    'Baneshwor-10',
    fiveHundred().name,
    thirds().name,
    'Cash to collect',
  ])
    await expect(slip).toContainText(text)
  await expect(slip).toContainText(rupees(bill(lines).total))
  await expect(slip.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('navigation', { name: 'Seller' })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
})

test('packing slips of several orders, one sheet of paper each', ON_DESKTOP, async ({ page }) => {
  const { placed } = await atOrders(page, 3)
  await printed(page)
  for (const each of placed) await tick(page, each).check()
  await bulk(page).getByRole('button', { name: 'Print 3 packing slips' }).click()
  await wasPrinted(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByTestId('slip')).toHaveCount(3)
  for (const each of placed) await expect(page.getByTestId('slips')).toContainText(each.orderId)
  const sheets = (await page.pdf({ format: 'A5' })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g) ?? []
  expect(sheets.length).toBe(3)
})

/** Orders of people who live at these places, due on a day that nobody else's order has. */
async function toDeliver(places: [municipality: string, ward: string, status: Status][]) {
  const seller = await sellerSession()
  const day = `20${randomInt(30, 99)}-0${randomInt(1, 9)}-${randomInt(10, 28)}`
  const orders: Order[] = []
  for (const [municipality, ward, status] of places) {
    const session = await register(somebody())
    const address = {
      ...HOME_ADDRESS,
      district: 'Kathmandu',
      municipality,
      ward,
      landmark: 'Near the temple',
    }
    const { _id: id } = await session.must<{ _id: string }>('POST', '/api/address/add_address', address)
    const placed = await order(session, [[fiveHundred(), 1]], id)
    await seller.must('PUT', SET_STATUS, { orderId: placed._id, status, deliveryDate: day })
    orders.push(placed)
  }
  return { seller, day, orders }
}

test('the delivery sheet: stops by municipality and ward in order, each with its cash, and the sum', async ({
  page,
}) => {
  const { day, orders, seller } = await toDeliver([
    ['Lalitpur', '3', 'Order Confirmed'],
    ['Kathmandu', '10', 'Out for Delivery'],
    ['Kathmandu', '9', 'Order Shipped'],
    ['Kathmandu', '10', 'Order Confirmed'],
    ['Kathmandu', '1', 'Order Placed'],
  ])
  const told = await seller.must<{ orders: number; stops: { municipality: string; ward: string }[] }>(
    'GET',
    `${SHEET}?date=${day}&late=false`,
  )
  expect(told.orders).toBe(4)
  await atDesk(page, PATH)
  await page.getByRole('link', { name: 'Delivery sheet' }).click()
  await expect(page).toHaveURL('/seller/delivery')
  await page.getByLabel('With undelivered orders of the 30 days before').uncheck()
  await page.getByLabel('Delivery date').fill(day)
  const stops = page.getByTestId('stop')
  await expect(stops).toHaveCount(3)
  for (const [n, place] of ['Kathmandu, ward 9', 'Kathmandu, ward 10', 'Lalitpur, ward 3'].entries())
    await expect(stops.nth(n).locator('caption')).toContainText(place)
  const each = bill([[fiveHundred(), 1]]).total
  await expect(stops.nth(1).getByTestId('drop')).toHaveCount(2)
  await expect(stops.nth(1)).toContainText(rupees(2 * each))
  await expect(stops.nth(1)).toContainText('Near the temple')
  await expect(page.getByTestId('sheet')).toContainText(rupees(4 * each))
  const [, , , , notConfirmed] = orders
  await expect(page.getByTestId('sheet')).not.toContainText(notConfirmed?.orderId ?? '?')
  await page.getByLabel('Order Placed').check()
  await expect(page.getByTestId('sheet')).toContainText(notConfirmed?.orderId ?? '?')
})

test('the delivery sheet on paper has no buttons, and everything fits', ON_PHONE, async ({ page }) => {
  const { day, orders } = await toDeliver([['Bhaktapur', '4', 'Out for Delivery']])
  await atDesk(page, `/seller/delivery?date=${day}&late=false`)
  await expect(page.getByTestId('sheet')).toContainText(orders[0]?.orderId ?? '?')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Seller' })).toBeHidden()
  await expect(page.getByTestId('sheet')).toContainText('Bhaktapur, ward 4')
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
})

test('a day without deliveries says so', ON_DESKTOP, async ({ page }) => {
  await atDesk(page, '/seller/delivery?date=2099-01-01&late=false')
  await expect(page.getByRole('heading', { name: 'Nothing to deliver' })).toBeVisible()
})
