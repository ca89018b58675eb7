import { newGoods } from '../support/checkout.ts'
import { order } from '../support/orders.ts'
import { register, somebody } from '../support/people.ts'
import { newPushBrowser } from '../support/push.ts'
import { openDashboard } from '../support/seller-catalogue.ts'
import { expect, ON_DESKTOP, open, test } from '../support/shop.ts'

test(
  'a new order reaches the seller by push and in the title, and opening it ends that',
  ON_DESKTOP,
  async ({ page }) => {
    const { seller } = await openDashboard(page, '/seller/overview')
    const phone = await newPushBrowser(page)
    await seller.must('POST', '/api/seller/alerts/subscribe', phone.subscription)

    const placed = await order(await register(somebody()), [[await newGoods(), 1]])

    await expect
      .poll(async () => (await phone.received()).map(({ title }) => title))
      .toContain(`New order ${placed.orderId}`)
    await expect(page).toHaveTitle(/^\(\d+\) /)
    const opened = page.waitForResponse((response) => response.url().endsWith('/api/order/mark_opened'))
    await open(page, `/seller/orders#${placed.orderId}`)
    await expect(page.locator(`[id="${placed.orderId}"] [aria-expanded=true]`)).toBeVisible()
    expect((await opened).status()).toBe(200)
    const { orders } = await seller.must<{ orders: { _id: string }[] }>('GET', '/api/order/get_not_opened')
    expect(orders.map(({ _id }) => _id)).not.toContain(placed._id)
  },
)
