import type { Browser, Locator, Page } from '@playwright/test'
import { cash, newGoods, placeOrder } from '../support/checkout.ts'
import { linkIn, waitForEmail, withLinkTo } from '../support/emails.ts'
import { waitForCached } from '../support/offline.ts'
import { fillCart, type Order, ordersOf } from '../support/orders.ts'
import { HOME_ADDRESS, register, sessionOf, somebody, type Visitor } from '../support/people.ts'
import { newPushBrowser } from '../support/push.ts'
import { openDashboard, unheard } from '../support/seller-catalogue.ts'
import { expect, ON_ITS_OWN, open, reload, test, toast } from '../support/shop.ts'

const NOTE = 'Ripe bananas, please, and no plastic bag.'
const FOR_THE_RIDER = 'Blue gate behind the school.'

type Zone = { name: string; fee: string; municipality: string; windows: [starts: string, ends: string][] }
const ZONES: Zone[] = [
  {
    name: 'Kathmandu city',
    fee: '50',
    municipality: 'Kathmandu',
    windows: [
      ['07:00', '10:00'],
      ['16:00', '19:00'],
    ],
  },
  { name: 'Lalitpur city', fee: '80', municipality: 'Lalitpur', windows: [['08:00', '11:00']] },
]

let owner: Visitor | undefined

/** Zones apply to the whole shop, which has none before and after this journey. */
test.afterEach(async () => {
  if (!owner) return
  const { zones } = await owner.must<{ zones: { _id: string }[] }>('GET', '/api/delivery/get_delivery_rules')
  for (const { _id } of zones) await owner.must('DELETE', `/api/delivery/delete_zone/${_id}`)
})

test(
  'a day in the shop: staff, zones, an order with a note, its alert, its rider',
  ON_ITS_OWN,
  async ({ page, browser }) => {
    const dashboard = await openDashboard(page, '/seller/staff')
    owner = dashboard.seller
    const packer = somebody('Maya Gurung')
    // Another run may have left a rider of the same name.
    const rider = somebody(`Hari ${unheard()}`)

    await invite(page, packer, 'Packer')
    const atPacking = await join(browser, packer)
    await invite(page, rider, 'Rider')
    const onTheRoad = await join(browser, rider)
    await open(page, '/seller/delivery-zones')
    for (const zone of ZONES) await addZone(page, zone)
    await expect(page.getByTestId('zone')).toHaveCount(2)
    const phone = await newPushBrowser(atPacking)
    await (await sessionOf(atPacking.context())).must(
      'POST',
      '/api/seller/alerts/subscribe',
      phone.subscription,
    )

    const shopper = await register(somebody('Asha Rai'))
    const placed = await placeWithNotes(browser, shopper)

    await expect
      .poll(async () => (await phone.received()).map(({ title }) => title))
      .toContain(`New order ${placed.orderId}`)
    await packAndAssign(atPacking, placed, rider.name)
    await deliver(onTheRoad, placed, shopper)
    await open(page, `/seller/orders#${placed.orderId}`)
    await expect(card(page, placed).getByRole('heading', { level: 2 })).toContainText('Delivered')
  },
)

async function invite(page: Page, { name, email }: { name: string; email: string }, role: string) {
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Send invitation' }) })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Role').selectOption(role)
  await form.getByRole('button', { name: 'Send invitation' }).click()
  await toast(page, 'We sent an email with a link.')
  await expect(page.getByTestId('invitation').filter({ hasText: email })).toContainText(role)
}

/** Follows the link of the invitation in another browser; returns the page that the new member sees first. */
async function join(
  browser: Browser,
  { email, password }: { email: string; password: string },
): Promise<Page> {
  const link = linkIn(await waitForEmail(email, withLinkTo('/seller/join')))
  const page = await newPage(browser)
  await open(page, link)
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByRole('navigation', { name: 'Seller' })).toBeVisible()
  return page
}

const newPage = async (browser: Browser) => (await browser.newContext({ serviceWorkers: 'allow' })).newPage()

async function addZone(page: Page, { name, fee, municipality, windows }: Zone) {
  await page.getByRole('button', { name: 'Add zone' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name (required)').fill(name)
  await form.getByLabel('Delivery fee').fill(fee)
  await form.getByLabel('Add a municipality').fill(municipality)
  await form.getByRole('button', { name: `Add ${municipality}` }).click()
  for (const [index, [starts, ends]] of windows.entries()) {
    // The form of a new zone has one window already.
    if (index > 0) await form.getByRole('button', { name: 'Add delivery time' }).click()
    const window = form.getByTestId('zone-window').nth(index)
    await window.getByLabel('From').fill(starts)
    await window.getByLabel('To', { exact: true }).fill(ends)
  }
  await form.getByRole('button', { name: 'Save zone' }).click()
  await expect(page.getByTestId('zone').filter({ hasText: name })).toBeVisible()
}

/** A shopper in the first zone chooses the second window of the next day and leaves two notes. */
async function placeWithNotes(browser: Browser, shopper: Visitor): Promise<Order> {
  await shopper.must('POST', '/api/address/add_address', {
    ...HOME_ADDRESS,
    district: 'Kathmandu',
    municipality: 'Kathmandu',
    ward: '10',
  })
  await fillCart(shopper, [[await newGoods(), 1]])
  const page = await newPage(browser)
  await shopper.enter(page.context())
  await open(page, '/cart')
  await page.getByRole('group', { name: 'Delivery day' }).getByRole('radio').nth(1).check()
  await page.getByRole('radio', { name: '16:00–19:00' }).check()
  await page.getByText('Add a note or say what to do').click()
  await page.getByLabel('Note for the shop').fill(NOTE)
  await page.getByLabel('Note for the rider').fill(FOR_THE_RIDER)
  await cash(page).check()
  await placeOrder(page).click()
  await page.waitForURL('**/orders**')
  const [placed] = await ordersOf(shopper)
  if (!placed) throw new Error('the shopper has no order')
  await page.context().close()
  return placed
}

const card = (page: Page, { orderId }: Order) => page.locator(`[id="${orderId}"]`)

/** The packer reads the notes on the order and on its packing slip, and hands it to the rider. */
async function packAndAssign(page: Page, placed: Order, rider: string) {
  await page.evaluate(() => Object.assign(window, { print: () => undefined }))
  await page.getByRole('navigation', { name: 'Seller' }).getByRole('link', { name: 'Orders' }).click()
  const order = card(page, placed)
  await order.getByRole('button', { expanded: false }).click()
  await expect(order.getByText(NOTE)).toBeVisible()
  await order.getByRole('button', { name: 'Print packing slip' }).click()
  await expect(page.getByTestId('slip').getByText(NOTE)).toBeAttached()
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/order/assign_rider'))
  await order.getByLabel('Rider').selectOption({ label: rider })
  expect((await saved).status()).toBe(200)
}

/** The shopper tells the rider the code of the order at the door. */
async function deliver(page: Page, { _id, orderId }: Order, shopper: Visitor) {
  await open(page, '/seller')
  await expect(page).toHaveURL(/\/seller\/deliveries$/)
  const delivery = page.getByTestId('delivery').filter({ hasText: orderId })
  await expect(delivery).toBeVisible()
  // The list opens again without a connection, though this phone has never opened the shop.
  await waitForCached(page, '/seller/deliveries')
  await page.context().setOffline(true)
  await reload(page)
  await expect(delivery).toContainText(FOR_THE_RIDER)
  await page.context().setOffline(false)
  await reload(page)
  await record(page, delivery.getByRole('button', { name: 'Out for Delivery' }))
  const { code } = await shopper.must<{ code: string }>('GET', `/api/rider/delivery_code/${_id}`)
  await delivery.getByRole('button', { name: 'Deliver', exact: true }).click()
  await delivery.getByLabel("Customer's code").fill(code)
  await record(page, delivery.getByRole('button', { name: 'Delivered' }))
  await expect(delivery.getByRole('button')).toHaveCount(0)
  await expect(delivery).toContainText('Delivered')
}

/** The phone stores what the rider presses before it sends it. */
async function record(page: Page, button: Locator) {
  const sent = page.waitForResponse((response) => response.url().endsWith('/api/rider/sync'))
  await button.click()
  expect((await sent).status()).toBe(200)
}
