import type { Page } from '@playwright/test'
import {
  atCheckout,
  cash,
  findCard,
  logInWith,
  newGoods,
  online,
  placeOrder,
  setPrice,
  setStock,
  stopSelling,
} from '../support/checkout.ts'
import { bill, fillCart, GET_CART, ordersOf, PLACE, rupees } from '../support/orders.ts'
import { HOME_ADDRESS, register, somebody } from '../support/people.ts'
import {
  BROKEN,
  cartCount,
  expect,
  hold,
  listen,
  ON_BOTH,
  ON_DESKTOP,
  open,
  REFUSED,
  reload,
  test,
  toast,
} from '../support/shop.ts'

async function expectBill(page: Page, wanted: ReturnType<typeof bill>) {
  for (const row of ['subtotal', 'shipping', 'tax', 'total'] as const)
    await expect(page.getByTestId(`summary-${row}`)).toHaveText(rupees(wanted[row]))
}

// spec: 2.cart.1, 2.cart.2, 2.cart.3, 2.cart.4, 4.cart.11, 4.checkout.1, 4.checkout.2, 4.checkout.4, 4.pay.1
// spec: 5.checkout.1, 5.checkout.3, 6.shopper.2, 6.shopper.4, 7.answers.2, 7.shopper.6, 8.success.3
test(
  'buying with cash on delivery: find, add, log in at the cart, write down an address, order once, see the order',
  ON_BOTH,
  async ({ page }) => {
    const person = somebody()
    const session = await register(person)
    const goods = await newGoods({ paisa: 333_33 })
    await (await findCard(page, goods)).getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByRole('link', { name: 'Cart, 1 item' }).click()
    await page.getByRole('button', { name: `Increase ${goods.name}` }).click()
    await expect(placeOrder(page)).toBeDisabled()
    await page.getByRole('main').getByRole('button', { name: 'Log in to order' }).click()
    await logInWith(page.getByRole('dialog', { name: 'Login' }), person)
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // A press on the disabled button shows what is missing: only a real browser delivers such a press.
    await expect(placeOrder(page)).toHaveAccessibleDescription(/Please add a delivery address/)
    await placeOrder(page).click({ force: true })
    await toast(page, 'Please add a delivery address.')
    await page.getByRole('main').getByRole('link', { name: 'Add address' }).click()
    for (const [label, text] of [
      ['Address name', HOME_ADDRESS.address],
      ['Street', HOME_ADDRESS.street],
      ['City', HOME_ADDRESS.city],
      ['State', HOME_ADDRESS.state],
      ['Postal code', HOME_ADDRESS.pincode],
    ] as const)
      await page.getByLabel(label).fill(text)
    await page.getByRole('button', { name: 'Save Address' }).click()
    await toast(page, 'Address added successfully!')

    await expect(page).toHaveURL('/cart')
    await expect(page.locator('#delivery')).toContainText(HOME_ADDRESS.street)
    await expect(page.getByTestId('cart-line')).toContainText(goods.name)
    await expectBill(page, bill([[goods, 2]]))
    await expect(cash(page)).toBeChecked()
    await expect(online(page)).not.toBeChecked()
    const sent = listen(page, PLACE)
    const { release } = await hold(page, `**${PLACE}`)
    await expect(placeOrder(page)).toBeEnabled()
    await placeOrder(page).dblclick()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    await release()
    await toast(page, 'Order placed successfully!')
    await expect(page).toHaveURL(/\/orders#/)
    await expect(cartCount(page)).toHaveCount(0)
    expect(sent).toHaveLength(1)

    const [placed, ...others] = await ordersOf(session)
    expect(others).toEqual([])
    expect(placed).toMatchObject({
      status: 'Order Placed',
      total: bill([[goods, 2]]).total / 100,
      items: [{ name: goods.name, quantity: 2, price: 333.33 }],
    })
    // The card of the new order is open.
    await expect(page.getByRole('main')).toContainText(placed?.trackingNumber ?? 'no order')
    expect(await session.must('GET', GET_CART)).toEqual({})
  },
)

// spec: 2.cart.3, 2.cart.7
test("'Edit address' opens that address in the profile, and the order goes to the edited one", async ({
  page,
  shopper,
}) => {
  await atCheckout(page, shopper.session, [[await newGoods(), 1]])
  await page.getByRole('link', { name: 'Edit address' }).click()
  await expect(page).toHaveURL('/profile')
  const dialog = page.getByRole('dialog', { name: 'Edit address' })
  await expect(dialog.getByLabel(/^Street/)).toHaveValue(HOME_ADDRESS.street)
  await dialog.getByLabel(/^Street/).fill('Boudha 6')
  await dialog.getByRole('button', { name: 'Save Address' }).click()
  await toast(page, 'Address updated successfully!')

  await expect(page).toHaveURL('/cart')
  await expect(page.locator('#delivery')).toContainText('Boudha 6')
  await placeOrder(page).click()
  await toast(page, 'Order placed successfully!')
  const [placed] = await ordersOf(shopper.session)
  expect(placed?.userId.address).toContain('Boudha 6')
  expect(placed?.userId.address).not.toContain(HOME_ADDRESS.street)
})

// spec: 2.cart.7
test("without an address 'Edit address' opens the profile's own address field, and the order goes there", async ({
  page,
  shopper,
}) => {
  await fillCart(shopper.session, [[await newGoods(), 1]])
  await open(page, '/cart')
  await page.getByRole('link', { name: 'Edit address' }).click()
  const address = page.getByLabel('Address', { exact: true })
  await expect(address).toBeFocused()
  await address.fill('Lakeside 6, Pokhara')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL('/cart')
  await expect(page.locator('#delivery')).toContainText('Lakeside 6, Pokhara')
  await placeOrder(page).click()
  await toast(page, 'Order placed successfully!')
  const [placed] = await ordersOf(shopper.session)
  expect(placed?.userId.address).toBe('Lakeside 6, Pokhara')
})

test.describe('at checkout', ON_DESKTOP, () => {
  test('an order whose answer is lost is found again after a reload: one order, and an empty cart', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(BROKEN)
    await atCheckout(page, shopper.session, [[await newGoods(), 1]])
    await page.route(`**${PLACE}`, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await placeOrder(page).click()
    await toast(page, 'Error placing order. Please try again.')
    const [placed] = await ordersOf(shopper.session)
    expect(placed, 'the server has got it').toBeDefined()
    await page.unroute(`**${PLACE}`)

    await reload(page)
    await expect(page).toHaveURL(`/orders#${placed?.orderId}`)
    await expect(cartCount(page)).toHaveCount(0)
    expect(await ordersOf(shopper.session)).toHaveLength(1)
  })

  test('a price that has risen: nothing is placed, the new total is shown, and ordering again accepts it', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    const goods = await newGoods({ paisa: 200_00 })
    await atCheckout(page, shopper.session, [[goods, 1]])
    await expectBill(page, bill([[goods, 1]]))
    await setPrice(goods, 250_00)
    await placeOrder(page).click()
    await expect(
      page.getByText('The price has changed. Please check the new total and order again.'),
    ).toBeVisible()
    expect(await ordersOf(shopper.session)).toEqual([])
    const risen = bill([[{ paisa: 250_00 }, 1]])
    await expectBill(page, risen)
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
    expect(await ordersOf(shopper.session)).toMatchObject([{ total: risen.total / 100 }])
  })

  test('stock that is gone, then goods that are sold no more: each is named, put right with one press, and the rest is ordered', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    const [few, gone] = [await newGoods(), await newGoods()]
    await atCheckout(page, shopper.session, [
      [few, 2],
      [gone, 1],
    ])
    await setStock(few, 1)
    await placeOrder(page).click()
    await expect(page.getByText(`Only 1 left of ${few.name}.`)).toBeVisible()
    const line = page.getByTestId('cart-line').filter({ hasText: few.name })
    await expect(line).toContainText('Only 1 available')
    await line.getByRole('button', { name: `Change to 1: ${few.name}` }).click()
    await expect.poll(() => shopper.session.must('GET', GET_CART)).toEqual({ [few.id]: 1, [gone.id]: 1 })

    await stopSelling(gone)
    await placeOrder(page).click()
    await expect(page.getByText(`${gone.name} is no longer sold.`)).toBeVisible()
    expect(await ordersOf(shopper.session)).toEqual([])
    await page
      .locator(`[data-line="${gone.id}"]`)
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await expect(cartCount(page)).toHaveText('1')
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
    expect(await ordersOf(shopper.session)).toMatchObject([{ items: [{ name: few.name, quantity: 1 }] }])
  })
})
