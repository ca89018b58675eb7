import type { Locator, Page } from '@playwright/test'
import { newGoods, ownSeller } from '../support/checkout.ts'
import { bill, instanceUrls, type Order, order, ordersOf, rupees, setStatus } from '../support/orders.ts'
import { expect, ON_DESKTOP, open, takenOver, test, toast } from '../support/shop.ts'
import { newAccount, orderPaid } from '../support/wallet.ts'

const cards = (page: Page) => page.getByTestId('order-card')
const card = (page: Page, { orderId }: Pick<Order, 'orderId'>) => cards(page).filter({ hasText: orderId })
const header = (within: Locator) => within.getByRole('heading', { level: 2 }).getByRole('button')
const cancel = (within: Locator) => within.getByRole('button', { name: 'Cancel order' })

async function expand(within: Locator) {
  const button = header(within)
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
}

// spec: 2.orders.1, 2.orders.2, 2.orders.3, 5.search.3, 5.search.4, 6.shopper.5, 9.const.7
test("'My Orders' lists, opens and searches the orders, and what was not sent yet can be cancelled", async ({
  page,
  shopper,
}) => {
  const [rice, third] = [await newGoods({ paisa: 500_00 }), await newGoods({ paisa: 333_33 })]
  const sent = await order(shopper.session, [[rice, 1]])
  const open_ = await order(shopper.session, [
    [rice, 1],
    [third, 2],
  ])
  await setStatus(await ownSeller(), sent, 'Order Shipped')
  await open(page, '/orders')
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible()
  await expect(cards(page)).toHaveCount(2)
  await expect(cards(page).nth(0)).toContainText(open_.orderId)
  await expect(cards(page).nth(1)).toContainText(sent.orderId)
  const shown = card(page, open_)
  const { total } = bill([
    [rice, 1],
    [third, 2],
  ])
  await expect(shown).toContainText(rupees(total))
  await expand(shown)
  for (const text of [open_.trackingNumber, 'Cash on Delivery (COD)', rice.name, third.name, rupees(333_33)])
    await expect(shown).toContainText(text)
  await expect(shown.getByTestId('timeline')).toContainText('Order Placed')
  await expand(card(page, sent))
  await expect(cancel(card(page, sent))).toHaveCount(0)

  const search = page.getByRole('main').getByLabel('Search your orders')
  await search.fill(third.name.slice(-5).toUpperCase())
  await expect(cards(page)).toHaveCount(1)
  await expect(cards(page)).toContainText(open_.orderId)
  await search.fill(sent.orderId.slice(2, 8).toLowerCase())
  await expect(cards(page)).toContainText(sent.orderId)
  await search.fill('xyzzy')
  await expect(page.getByText('No orders match "xyzzy"')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await expect(cards(page)).toHaveCount(2)

  await expand(shown)
  await cancel(shown).click()
  await cancel(page.getByRole('dialog')).click()
  await toast(page, 'Order cancelled.')
  await expect(shown).toContainText('Cancelled')
  await expect(cancel(shown)).toHaveCount(0)
  expect(await ordersOf(shopper.session)).toMatchObject([
    { status: 'Cancelled' },
    { status: 'Order Shipped' },
  ])
})

test(
  'what the seller does at another instance of the shop shows on the open page: sent, and cancelled with the money coming back',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const placed = await orderPaid(shopper.session, [[await newGoods(), 1]], await newAccount())
    const seller = await ownSeller()
    const [here, there] = instanceUrls()
    const stream = page.waitForResponse('**/api/order/live')
    await page.goto(`${here}/orders`)
    await takenOver(page)
    await expect(card(page, placed)).toContainText('Order Confirmed')
    expect((await stream).headers()['content-type']).toContain('text/event-stream')
    // The stream's first event makes the page refetch, so that nothing is lost between the list and the stream.
    await setStatus(seller, placed, 'Order Shipped', there)
    await expect(card(page, placed)).toContainText('Order Shipped')
    await setStatus(seller, placed, 'Cancelled', there)
    await expect(card(page, placed)).toContainText('Cancelled')
    await expect(card(page, placed)).toContainText(/Your refund is on its way to Khalti|Refunded to Khalti\./)
  },
)
