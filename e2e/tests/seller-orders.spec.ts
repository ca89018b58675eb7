import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { newGoods, ownSeller } from '../support/checkout.ts'
import { addPicture } from '../support/goods.ts'
import {
  bill,
  instanceUrls,
  type Order,
  order,
  ordersOf,
  rupees,
  SET_STATUS,
  STATUSES,
  type Status,
  setStatus,
} from '../support/orders.ts'
import { HOME_ADDRESS, register, somebody, type Visitor } from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import { addGoods, openDashboard, productNow, wordOf } from '../support/seller-catalogue.ts'
import { expect, listen, ON_DESKTOP, reload, takenOver, test, toast } from '../support/shop.ts'

type Lines = Parameters<typeof order>[1]
type Numbered = Pick<Order, 'orderId'>
const PATH = '/seller/orders'
const cards = (page: Page) => page.getByTestId('order-card')
const card = (page: Page, { orderId }: Numbered) => cards(page).filter({ hasText: orderId })
const head = (page: Page, placed: Numbered) =>
  card(page, placed).getByRole('heading', { level: 2 }).getByRole('button')
const panel = (page: Page) => page.getByTestId('order-panel')
const search = (page: Page) => page.getByRole('main').getByLabel('Search by order id or status')
const selector = (page: Page, { orderId }: Numbered) =>
  page.getByRole('combobox', { name: `Order status for #${orderId}` })
const tick = (page: Page, { orderId }: Numbered) => page.getByLabel(`Select order #${orderId}`)
const statusOf = async (session: Visitor, { _id }: Order) =>
  (await ordersOf(session)).find((each) => each._id === _id)?.status

// spec: 2.sorders.1, 2.sorders.2, 2.sorders.3, 2.sorders.4, 2.sorders.5, 4.status.3, 4.status.4, 5.search.6, 7.seller.8
// spec: 8.success.10, 9.const.8, 9.const.9
test(
  'an order is found, opened with all it says, and set to any status at any time',
  ON_DESKTOP,
  async ({ page }) => {
    const [third, pictured] = [await newGoods({ paisa: 333_33 }), await newGoods()]
    await addPicture(await ownSeller(), pictured)
    const lines: Lines = [
      [third, 2],
      [pictured, 1],
    ]
    const session = await register(somebody())
    const placed = await order(session, lines)
    await openDashboard(page, PATH)
    await search(page).fill('xyzzy')
    await expect(cards(page)).toHaveCount(0)
    await search(page).fill(placed.orderId.slice(2).toLowerCase())
    await expect(card(page, placed)).toBeVisible()

    await head(page, placed).click()
    const shown = panel(page)
    await expect(page).toHaveURL(new RegExp(`order=${placed.orderId}`))
    for (const text of [placed.trackingNumber, third.name, '2 × $333.33', pictured.name])
      await expect(shown).toContainText(text)
    await expect(shown).toContainText(`$${(bill(lines).total / 100).toFixed(2)}`)
    await expect(shown.getByLabel(`Delivery date for #${placed.orderId}`)).toHaveValue(placed.deliveryDate)
    await expect(shown.getByTestId('order-item')).toHaveCount(2)
    const photo = shown.getByTestId('order-item').filter({ hasText: pictured.name }).locator('img')
    await photo.scrollIntoViewIfNeeded()
    expect(
      await photo.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
    ).toBeGreaterThan(0)
    expect(await selector(page, placed).getByRole('option').allTextContents()).toEqual([...STATUSES])

    for (const [n, status] of (['Delivered', 'Order Placed', 'Cancelled'] as const).entries()) {
      await selector(page, placed).selectOption(status)
      await toast(page, 'Order status updated successfully!')
      await expect(shown.getByTestId('timeline').getByRole('listitem')).toHaveCount(n + 2)
      expect(await statusOf(session, placed)).toBe(status)
    }
    // A reload shows the same order again; Escape closes it and leaves the list as it is.
    await reload(page)
    await expect(shown).toContainText(placed.trackingNumber)
    await page.keyboard.press('Escape')
    await expect(shown).toHaveCount(0)
    await search(page).fill('xyzzy')
    await expect(cards(page)).toHaveCount(0)
    await search(page).fill('cancel')
    await expect(card(page, placed).getByTestId('order-status')).toHaveText('Cancelled')
  },
)

test(
  'a change at another instance and a new order arrive in the open list, the latter with a notice',
  ON_DESKTOP,
  async ({ page }) => {
    const [here, there] = instanceUrls()
    const shopper = await register(somebody())
    const goods = await newGoods()
    const first = await order(shopper, [[goods, 1]])
    const seller = await sellerSession()
    await seller.enter(page.context())
    const listening = page.waitForResponse('**/api/order/live_all')
    await page.goto(here + PATH)
    await takenOver(page)
    await expect(card(page, first)).toBeVisible()
    expect((await listening).headers()['content-type']).toContain('text/event-stream')

    await setStatus(seller, first, 'Out for Delivery', there)
    await expect(card(page, first)).toContainText('Out for Delivery')

    const second = await order(shopper, [[goods, 2]])
    // Other tests place orders too: the notice names one order or counts several.
    const notice = page.getByTestId('new-order')
    await expect(notice).toHaveText(new RegExp(`New order ${second.orderId}|new orders`))
    await notice.getByRole('button', { name: 'Show' }).click()
    await expect(card(page, second)).toBeVisible()
  },
)

test('through the orders by keyboard: j, x, Enter, s, a number, Undo and ?', ON_DESKTOP, async ({ page }) => {
  const session = await register(somebody())
  const placed = await order(session, [[await newGoods(), 1]])
  await openDashboard(page, PATH)
  // The filter keeps new orders of other tests out of the list.
  await search(page).fill(placed.orderId)
  await expect(cards(page)).toHaveCount(1)
  // Leaves the field, where shortcuts would be typed as text.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Set status to "Delivered"')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)

  await page.keyboard.press('j')
  await expect(head(page, placed)).toBeFocused()
  await page.keyboard.press('x')
  await expect(tick(page, placed)).toBeChecked()
  await page.keyboard.press('x')
  await expect(tick(page, placed)).not.toBeChecked()
  await page.keyboard.press('Enter')
  await page.keyboard.press('s')
  await expect(selector(page, placed)).toBeFocused()
  // Out of the field, then out of the panel.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(head(page, placed)).toBeFocused()
  await page.keyboard.press('2')
  // A toast stays while it has the focus.
  await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).focus()
  await expect.poll(() => statusOf(session, placed)).toBe('Order Confirmed')
  await page.keyboard.press('Enter')
  await expect.poll(() => statusOf(session, placed)).toBe('Order Placed')
})

/** Replaces printing by a flag; the print view is read from the page. */
async function pretendPrinter(page: Page) {
  await page.evaluate(() => {
    Object.assign(window, { print: () => Object.assign(window, { wasPrinted: true }) })
  })
  return () => page.waitForFunction(() => 'wasPrinted' in window)
}

test(
  'several orders get a packing slip each on a sheet of its own, then one status, and are cancelled with their goods',
  ON_DESKTOP,
  async ({ page }) => {
    const maker = await sellerSession()
    const goods = await addGoods(maker, { stock: 5 })
    const session = await register(somebody())
    const placed = [await order(session, [[goods, 1]]), await order(session, [[goods, 1]])]
    await openDashboard(page, PATH)
    await search(page).fill(wordOf(goods))
    await expect(cards(page)).toHaveCount(2)
    const bulk = page.getByTestId('bulk')
    const outcome = page.getByTestId('bulk-outcome')
    const tickAll = async () => {
      for (const each of placed) await tick(page, each).check()
    }

    await tickAll()
    const printed = await pretendPrinter(page)
    await bulk.getByRole('button', { name: 'Print 2 packing slips' }).click()
    await printed()
    await page.emulateMedia({ media: 'print' })
    const slip = page.getByTestId('slip').filter({ hasText: placed[0]?.orderId ?? '?' })
    for (const text of ['Ram Bahadur', '9841234567', 'Baneshwor-10', goods.name, 'Cash to collect'])
      await expect(slip).toContainText(text)
    await expect(page.getByRole('navigation', { name: 'Seller' })).toBeHidden()
    const paper = (await page.pdf({ format: 'A5' })).toString('latin1')
    expect(paper.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(2)
    await page.emulateMedia({ media: null })

    await bulk.getByLabel('Set status of 2 orders to').selectOption('Order Confirmed')
    await bulk.getByRole('button', { name: 'Set status' }).click()
    await expect(outcome).toContainText('2 orders are now "Order Confirmed".')
    await expect(outcome).toBeFocused()
    for (const each of placed) expect(await statusOf(session, each)).toBe('Order Confirmed')

    await tickAll()
    const sent = listen(page, '/api/order/update_order_statuses')
    await bulk.getByRole('combobox').selectOption('Cancelled')
    await bulk.getByRole('button', { name: 'Set status' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel 2 orders?' })
    await question.getByRole('button', { name: 'Cancel 2 orders' }).click()
    await expect(outcome).toContainText('2 orders are now "Cancelled".')
    expect(sent).toHaveLength(1)
    expect((await productNow(maker, { slug: goods.name.toLowerCase().replace(' ', '-') })).stock).toBe(5)
  },
)

test(
  'the delivery sheet of a day goes by municipality and ward, adds up the cash, and is printed without buttons',
  ON_DESKTOP,
  async ({ page }) => {
    const seller = await sellerSession()
    // A day on which no other order is due.
    const day = `20${randomInt(30, 99)}-0${randomInt(1, 9)}-${randomInt(10, 28)}`
    const session = await register(somebody())
    const lines: Lines = [[await newGoods(), 1]]
    const deliver = async (municipality: string, ward: string, status: Status) => {
      const address = {
        ...HOME_ADDRESS,
        district: 'Kathmandu',
        municipality,
        ward,
        landmark: 'Near the temple',
      }
      const { _id: id } = await session.must<{ _id: string }>('POST', '/api/address/add_address', address)
      const placed = await order(session, lines, id)
      await seller.must('PUT', SET_STATUS, { orderId: placed._id, status, deliveryDate: day })
      return placed
    }
    await deliver('Lalitpur', '3', 'Order Confirmed')
    await deliver('Kathmandu', '10', 'Out for Delivery')
    await deliver('Kathmandu', '9', 'Order Shipped')
    const unconfirmed = await deliver('Kathmandu', '1', 'Order Placed')

    await openDashboard(page, PATH)
    await page.getByRole('link', { name: 'Delivery sheet' }).click()
    await expect(page).toHaveURL('/seller/delivery')
    await page.getByLabel('Include undelivered orders from the previous 30 days').uncheck()
    await page.getByLabel('Delivery date').fill(day)
    const sheet = page.getByTestId('sheet')
    const stops = page.getByTestId('stop')
    await expect(stops).toHaveCount(3)
    for (const [n, place] of ['Kathmandu, ward 9', 'Kathmandu, ward 10', 'Lalitpur, ward 3'].entries())
      await expect(stops.nth(n).locator('caption')).toContainText(place)
    await expect(stops.first()).toContainText('Near the temple')
    await expect(sheet).toContainText(rupees(3 * bill(lines).total))
    await expect(sheet).not.toContainText(unconfirmed.orderId)
    await page.getByLabel('Order Placed').check()
    await expect(sheet).toContainText(unconfirmed.orderId)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(page.getByRole('navigation', { name: 'Seller' })).toBeHidden()
    await expect(sheet).toContainText('Lalitpur, ward 3')
  },
)
