import type { Locator, Page } from '@playwright/test'
import { fiveHundred, noLongerSold, oneRupee, thirds } from '../support/database.ts'
import { lettersTo, letterTo } from '../support/letters.ts'
import {
  bill,
  copies,
  MINE,
  noNews,
  type Order,
  order,
  ordersOf,
  rupees,
  setStatus,
} from '../support/orders.ts'
import { fault, unsuccessful } from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import {
  BROKEN,
  cartCount,
  expect,
  inNepali,
  ON_DESKTOP,
  ON_PHONE,
  open,
  takenOver,
  test,
  toast,
} from '../support/shop.ts'

const cards = (page: Page) => page.getByTestId('order-card')
const card = (page: Page, { orderId }: Pick<Order, 'orderId'>) => cards(page).filter({ hasText: orderId })
const header = (within: Locator) => within.getByRole('heading', { level: 2 }).getByRole('button')
const search = (page: Page) => page.getByRole('main').getByLabel('Search your orders')

async function expand(within: Locator) {
  const button = header(within)
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
}

// spec: 2.orders.1, 2.orders.3, 6.shopper.5, 9.const.7
test("'My Orders' is a list of cards that open: items, payment, tracking number, delivery date and timeline", async ({
  page,
  shopper,
}) => {
  const [goods, third] = [fiveHundred(), thirds()]
  const older = await order(shopper.session, [[goods, 1]])
  const newer = await order(shopper.session, [
    [goods, 1],
    [third, 2],
  ])
  await open(page, '/orders')
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
  await expect(cards(page)).toHaveCount(2)
  await expect(cards(page).nth(0)).toContainText(newer.orderId)
  await expect(cards(page).nth(1)).toContainText(older.orderId)
  const shown = card(page, newer)
  await expect(shown).toContainText('Order Placed')
  const figures = bill([
    [goods, 1],
    [third, 2],
  ])
  await expect(shown).toContainText(rupees(figures.total))

  await expand(shown)
  for (const text of [
    newer.trackingNumber,
    'Cash on Delivery (COD)',
    goods.name,
    third.name,
    rupees(third.paisa),
  ])
    await expect(shown).toContainText(text)
  await expect(shown.getByText('Delivery date')).toBeVisible()
  await expect(shown.getByText('Tracking number', { exact: true })).toBeVisible()
  const timeline = shown.getByTestId('timeline')
  await expect(timeline.getByRole('listitem')).toHaveCount(1)
  await expect(timeline).toContainText('Order Placed')
  await header(shown).click()
  await expect(header(shown)).toHaveAttribute('aria-expanded', 'false')
  await expect(shown.getByText(newer.trackingNumber)).toBeHidden()
})

// spec: 2.orders.2, 5.search.3, 5.search.4
test('the search finds part of an order id in any case and part of an item’s name in either language; nothing found can be cleared', async ({
  page,
  shopper,
}) => {
  const [goods, third] = [fiveHundred(), thirds()]
  const first = await order(shopper.session, [[goods, 1]])
  const second = await order(shopper.session, [[third, 1]])
  await open(page, '/orders')
  await expect(cards(page)).toHaveCount(2)
  for (const [text, wanted] of [
    [first.orderId.slice(1, -1).toLowerCase(), first],
    [second.orderId.toUpperCase(), second],
    ['of THIRDS', second],
    [goods.nameNe.slice(0, 5), first],
  ] as const) {
    await search(page).fill(text)
    await expect(cards(page)).toHaveCount(1)
    await expect(cards(page)).toContainText(wanted.orderId)
  }
  await search(page).fill('xyzzy')
  await expect(page.getByText('No orders match "xyzzy"')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await expect(search(page)).toHaveValue('')
  await expect(cards(page)).toHaveCount(2)
})

// spec: 2.orders.4, 2.orders.5, 8.orders.1
test(
  "without orders: 'No orders found', said aloud too, and Start Shopping leads to the categories",
  ON_PHONE,
  async ({ page, shopper }) => {
    await open(page, '/orders')
    await toast(page, 'No orders found.')
    await expect(page.getByText('No orders found', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Start Shopping' }).click()
    await expect(page).toHaveURL('/categories')
    expect(await ordersOf(shopper.session)).toEqual([])
  },
)

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to fetch orders.'],
  ['a broken server', fault, 'An error occurred while fetching orders. Please try again.'],
] as const) {
  // spec: 7.answers.1, 8.orders.2, 8.orders.3
  test(`${way}: '${text}', and Try again`, ON_DESKTOP, async ({ page, shopper, allowConsole }) => {
    allowConsole(BROKEN)
    const placed = await order(shopper.session, [[oneRupee(), 1]])
    await noNews(page)
    await spoil(page, `${MINE}*`)
    await open(page, '/orders')
    await toast(page, text)
    await page.unroute(`**${MINE}*`)
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, placed)).toBeVisible()
  })
}

// spec: 4.status.1, 4.status.2
test(
  'every status has its icon, whichever words are used and in any case; an unknown one has the neutral one',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const placed = await order(shopper.session, [[oneRupee(), 1]])
    const words: [string, string][] = [
      ['delivered', 'delivered'],
      ['In-Transit', 'in-transit'],
      ['SHIPPED', 'shipped'],
      ['processing', 'processing'],
      ['Order Confirmed', 'confirmed'],
      ['canceled', 'canceled'],
      ['Order Placed', 'processing'],
      ['Order Shipped', 'shipped'],
      ['Out for Delivery', 'in-transit'],
      ['Cancelled', 'canceled'],
      ['Payment Pending', 'other'],
      ['foo', 'other'],
    ]
    const data = words.map(([status], n) => ({
      ...placed,
      _id: `${placed._id}-${n}`,
      orderId: `X${n}Y`,
      status,
    }))
    await page.route(`**${MINE}*`, (route) =>
      route.fulfill({ json: { success: true, message: '', data, nextCursor: null } }),
    )
    await open(page, '/orders')
    await expect(cards(page)).toHaveCount(words.length)
    for (const [n, [, icon]] of words.entries())
      await expect(cards(page).nth(n).getByTestId('order-status')).toHaveAttribute('data-look', icon)
  },
)

test('an order can be cancelled until it is sent, not afterwards', ON_PHONE, async ({ page, shopper }) => {
  const [first, second] = [
    await order(shopper.session, [[oneRupee(), 1]]),
    await order(shopper.session, [[oneRupee(), 2]]),
  ]
  await setStatus(await sellerSession(), first, 'Order Shipped')
  await open(page, '/orders')
  await expand(card(page, first))
  await expect(card(page, first).getByRole('button', { name: 'Cancel order' })).toHaveCount(0)
  await expand(card(page, second))
  await card(page, second).getByRole('button', { name: 'Cancel order' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
  await toast(page, 'Order cancelled.')
  await expect(card(page, second)).toContainText('Cancelled')
  await expect(card(page, second).getByRole('button', { name: 'Cancel order' })).toHaveCount(0)
  expect(await ordersOf(shopper.session)).toMatchObject([
    { status: 'Cancelled' },
    { status: 'Order Shipped' },
  ])
})

test(
  "'Buy again' puts what is still sold into the cart and names what is not",
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const [goods, gone] = [fiveHundred(), noLongerSold()]
    const placed = await order(shopper.session, [[goods, 2]])
    // What was sold once and is no more: archiving would move the counts that other tests look at.
    await page.route(`**${MINE}*`, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      json.data[0].items.push({
        ...json.data[0].items[0],
        _id: gone.id,
        name: gone.name,
        nameNe: gone.nameNe,
      })
      await route.fulfill({ response, json })
    })
    await open(page, '/orders')
    await expand(card(page, placed))
    await card(page, placed).getByRole('button', { name: 'Buy again' }).click()
    await expect(page.getByText(`Added to cart. Not available: ${gone.name}`)).toBeVisible()
    await expect(cartCount(page)).toHaveText('2')
  },
)

test(
  'a change at another copy of the shop shows on the open page within two seconds',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const placed = await order(shopper.session, [[oneRupee(), 1]])
    const seller = await sellerSession()
    const [here, there] = copies()
    const listening = page.waitForResponse('**/api/order/live')
    await page.goto(`${here}/orders`)
    await takenOver(page)
    await expect(card(page, placed)).toContainText('Order Placed')
    expect((await listening).headers()['content-type']).toContain('text/event-stream')
    // The stream's answer comes before its ear is open.
    await page.waitForTimeout(300)
    for (const status of ['Order Confirmed', 'Delivered'] as const) {
      await setStatus(seller, placed, status, there)
      const told = Date.now()
      await expect(card(page, placed)).toContainText(status, { timeout: 2_000 })
      expect(Date.now() - told).toBeLessThan(2_000)
    }
  },
)

test(
  'in Nepali: the words, the digits of the money, the same order id',
  ON_PHONE,
  async ({ page, shopper }) => {
    const goods = fiveHundred()
    const placed = await order(shopper.session, [[goods, 1]])
    await inNepali(page)
    await open(page, '/orders')
    await expect(page.getByRole('heading', { level: 1, name: 'मेरा अर्डर' })).toBeVisible()
    const shown = card(page, placed)
    await expect(shown).toContainText('अर्डर भयो')
    await expect(shown).toContainText('रु. ५८५.००')
    await expand(shown)
    await expect(shown).toContainText(goods.nameNe)
  },
)

test(
  'a letter for each change and one only: placed, confirmed, shipped, delivered, cancelled, in the shopper’s language',
  ON_DESKTOP,
  async ({ shopper }) => {
    shopper.session.cookies.set('lang', 'ne')
    const placed = await order(shopper.session, [[oneRupee(), 1]])
    const seller = await sellerSession()
    for (const status of [
      'Order Confirmed',
      'Order Shipped',
      'Out for Delivery',
      'Delivered',
      'Cancelled',
    ] as const)
      await setStatus(seller, placed, status)
    const about = async () =>
      (await lettersTo(shopper.email)).filter(({ subject }) => subject.includes(placed.orderId))
    await letterTo(shopper.email, ({ subject }) => subject.includes(placed.orderId))
    await expect.poll(async () => (await about()).length, { timeout: 15_000 }).toBe(5)
    const letters = await about()
    expect(new Set(letters.map(({ subject }) => subject)).size).toBe(5)
    for (const { text } of letters) expect(text).toMatch(/[\u0900-\u097f]/)
  },
)
