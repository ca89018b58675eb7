import { newGoods, placeOrder } from '../support/checkout.ts'
import { waitForEmail } from '../support/emails.ts'
import { addHome, fillCart, ordersOf } from '../support/orders.ts'
import { register, somebody } from '../support/people.ts'
import { openDashboard, unheard } from '../support/seller-catalogue.ts'
import { expect, ON_ITS_OWN, open, reload, test, toast } from '../support/shop.ts'

const DAY_MS = 86_400_000
/** A moment as a field for day and time takes it, in Nepal. */
const entered = (at: number) => new Date(at + (5 * 60 + 45) * 60_000).toISOString().slice(0, 16)

// A public coupon is on the offers page of everybody, so this journey runs on its own and turns the coupon off.
test(
  'a seller creates a coupon, a shopper finds and uses it, and the order and its email name it',
  ON_ITS_OWN,
  async ({ page, browser }) => {
    const code = `DASHAIN-${unheard().slice(0, 8).toUpperCase()}`
    await openDashboard(page, '/seller/coupons')
    await page.getByRole('button', { name: 'New coupon' }).click()
    const form = page.getByRole('dialog', { name: 'New coupon' })
    await form.getByLabel('Code').fill(code.toLowerCase())
    await form.getByLabel('Percent', { exact: true }).fill('10')
    await form.getByLabel(/^Largest discount/).fill('200')
    await form.getByLabel('Until').fill(entered(Date.now() + DAY_MS))
    await form.getByLabel('Text on the offers page').fill('For the festival')
    await form.getByRole('button', { name: 'Save coupon' }).click()
    await toast(page, 'Coupon saved.')
    const coupon = page.getByTestId('coupon').filter({ hasText: code })
    await expect(coupon).toContainText('10% off, up to Rs. 200')

    const person = somebody()
    const session = await register(person)
    const goods = await newGoods({ paisa: 500_00 })
    await addHome(session)
    await fillCart(session, [[goods, 2]])
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    await session.enter(context)
    const shop = await context.newPage()
    // The coupon is in the first HTML, before any script runs, as soon as each instance has been told of it.
    await expect
      .poll(async () => (await (await context.request.get('/offers')).text()).split('id="first-data"')[0])
      .toContain(code)
    await open(shop, '/offers')
    await expect(shop.getByRole('button', { name: `Copy code ${code}` })).toBeVisible()
    await expect(shop.getByText('Mega Offer Are Coming Soon!')).toHaveCount(0)

    await open(shop, '/cart')
    await shop.getByText('Have a coupon?').click()
    await shop.getByLabel('Coupon code').fill(code)
    await shop.getByRole('button', { name: 'Apply' }).click()
    await expect(shop.getByTestId('summary-discount')).toContainText('100')
    await expect(placeOrder(shop)).toBeEnabled()
    await placeOrder(shop).click()
    await expect(shop).toHaveURL(/\/orders#/)
    await expect(shop.getByRole('main')).toContainText(`Coupon ${code}`)

    const [placed] = await ordersOf(session)
    expect(placed).toMatchObject({ coupon: { code, discount: 100 }, items: [{ price: 450, quantity: 2 }] })
    const email = await waitForEmail(person.email, ({ text }) => text.includes(`Coupon ${code}`))
    expect(email.text).toContain(`Coupon ${code}, in these prices: −Rs. 100.00`)
    await reload(page)
    await expect(coupon).toContainText('1 order · Rs. 100 given')
    await coupon.getByRole('button', { name: /^Turn off/ }).click()
    await expect(coupon).toContainText('Turned off')
    await expect.poll(async () => (await context.request.get('/offers')).text()).not.toContain(code)
    await context.close()
  },
)
