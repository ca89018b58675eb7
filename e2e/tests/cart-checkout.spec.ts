import type { Page } from '@playwright/test'
import { atCheckout, cash, khalti, online, placeOrder, withKhalti } from '../support/checkout.ts'
import {
  fiveHundred,
  type Goods,
  oneRupee,
  ownGoods,
  setPrice,
  setStock,
  thirds,
} from '../support/database.ts'
import { bill, fillCart, order, ordersOf, PLACE, PLACE_ONLINE, rupees, SAVE_CART } from '../support/orders.ts'
import { fault, HOME_ADDRESS, logIn, unreachable, unsuccessful } from '../support/people.ts'
import {
  BROKEN,
  cartCount,
  drawn,
  expect,
  hold,
  listen,
  noToast,
  OFFLINE,
  ON_DESKTOP,
  ON_PHONE,
  open,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const hint = (page: Page, text: string) => page.locator('#order-hints').getByText(text, { exact: true })

async function deviceCart(page: Page, lines: [Goods, number][]) {
  const cart = JSON.stringify(Object.fromEntries(lines.map(([{ id }, quantity]) => [id, quantity])))
  await page.goto('/about')
  await page.evaluate((text) => localStorage.setItem('thunse.cart', text), cart)
  await open(page, '/cart')
}

async function figures(page: Page, wanted: ReturnType<typeof bill>) {
  for (const row of ['subtotal', 'shipping', 'tax', 'total'] as const)
    await expect(page.getByTestId(`summary-${row}`)).toHaveText(rupees(wanted[row]))
}

// spec: 2.cart.1, 2.cart.2, 2.cart.3, 2.cart.4, 2.cart.7, 4.pay.1, 6.shopper.2
test('the cart has lines, summary, delivery address, payment choice and Place Order; Edit address leads to the profile', async ({
  page,
  shopper,
}) => {
  const goods = fiveHundred()
  await atCheckout(page, shopper.session, [[goods, 2]])
  await expect(page.getByTestId('cart-line')).toContainText(goods.name)
  await expect(page.getByTestId('cart-line')).toContainText(rupees(goods.paisa * 2))
  await figures(page, bill([[goods, 2]]))
  await expect(page.getByRole('main')).toContainText(HOME_ADDRESS.street)
  await expect(cash(page)).toBeChecked()
  await expect(online(page)).not.toBeChecked()
  await page.getByRole('link', { name: 'Edit address' }).click()
  await expect(page).toHaveURL('/profile')
})

// spec: 9.const.2, 9.const.3, 9.const.4, 9.const.5, 9.const.6
test('the figures of the table, to the paisa, with the way to free shipping', ON_PHONE, async ({ page }) => {
  const [whole, third, rupee] = [fiveHundred(), thirds(), oneRupee()]
  for (const [lines, way] of [
    [[[whole, 1]], 'Rs. 500 more for free shipping'],
    [[[whole, 2]], 'Add any item for free shipping'],
    [
      [
        [whole, 2],
        [rupee, 1],
      ],
      'You have free shipping',
    ],
    [[[third, 1]], 'Rs. 666.67 more for free shipping'],
  ] as [[Goods, number][], string][]) {
    await deviceCart(page, lines)
    await figures(page, bill(lines))
    await expect(page.getByText(way)).toBeVisible()
  }
})

test.describe('a visitor', ON_PHONE, () => {
  test('is asked to log in for the address, cannot order, and keeps the cart', async ({ page }) => {
    await deviceCart(page, [[fiveHundred(), 1]])
    await expect(hint(page, 'Please add a delivery address')).toBeVisible()
    await expect(placeOrder(page)).toBeDisabled()
    const main = page.getByRole('main')
    await expect(main.getByText('Log in to add your delivery address')).toBeVisible()
    await main.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('dialog', { name: 'Login' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('cart-line')).toHaveCount(1)
  })
})

// spec: 4.checkout.2, 5.checkout.3
test(
  "without an address: the hint 'Please add a delivery address', and Place Order is disabled",
  ON_PHONE,
  async ({ page, shopper }) => {
    const sent = listen(page, '/api/order/place')
    await fillCart(shopper.session, [[fiveHundred(), 1]])
    await open(page, '/cart')
    await expect(hint(page, 'Please add a delivery address')).toBeVisible()
    await expect(placeOrder(page)).toBeDisabled()
    await expect(placeOrder(page)).toHaveAccessibleDescription(/Please add a delivery address/)
    await placeOrder(page).click({ force: true })
    await drawn(page)
    expect(sent).toHaveLength(0)
  },
)

// spec: 4.checkout.3, 4.pay.1, 4.pay.2, 4.pay.3, 4.pay.4, 5.checkout.4, 9.const.13
test('payment: COD at first, Online wants a wallet, of which there is one, and COD again forgets it', async ({
  page,
  shopper,
}) => {
  await atCheckout(page, shopper.session)
  await expect(cash(page)).toBeChecked()
  await expect(khalti(page)).toHaveCount(0)

  await online(page).check()
  await expect(hint(page, 'Please select an online payment option')).toBeVisible()
  await expect(placeOrder(page)).toBeDisabled()
  const wallets = page.getByRole('group', { name: 'Choose a wallet' }).getByRole('radio')
  await expect(wallets).toHaveCount(1)
  await expect(khalti(page)).not.toBeChecked()
  await khalti(page).check()
  await expect(hint(page, 'Please select an online payment option')).toHaveCount(0)
  await expect(placeOrder(page)).toBeEnabled()

  await cash(page).check()
  await expect(khalti(page)).toHaveCount(0)
  await expect(placeOrder(page)).toBeEnabled()
  await online(page).check()
  await expect(khalti(page)).not.toBeChecked()
  await expect(placeOrder(page)).toBeDisabled()
})

// spec: 4.cart.11, 4.checkout.1, 4.checkout.4, 6.shopper.4, 7.answers.2, 7.shopper.6, 8.success.3
test("placing: 'Processing...' and no second press, the contract's payload, then the toast, an empty cart and the orders", async ({
  page,
  shopper,
}) => {
  const goods = thirds()
  await atCheckout(page, shopper.session, [[goods, 2]])
  const { tax, shipping, total } = bill([[goods, 2]])
  const sent = listen(page, PLACE)
  const { release } = await hold(page, `**${PLACE}`)
  await placeOrder(page).click()
  const processing = page.getByRole('button', { name: 'Processing...' })
  await expect(processing).toBeDisabled()
  await processing.click({ force: true })
  expect(sent).toHaveLength(1)
  expect(sent[0]?.headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[0]?.postDataJSON()).toMatchObject({
    items: [{ id: goods.id, quantity: 2 }],
    address: expect.stringContaining(HOME_ADDRESS.street),
    totalAmount: total / 100,
    shippingFee: shipping / 100,
    tax: tax / 100,
    paymentMethod: 'COD',
    name: shopper.name,
    email: shopper.email,
    phone: expect.stringMatching(/^\d{10}$/),
  })
  release()
  await toast(page, 'Order placed successfully!')
  await expect(page).toHaveURL(/\/orders(#.*)?$/)
  await expect(cartCount(page)).toHaveCount(0)
  const [placed, ...others] = await ordersOf(shopper.session)
  expect(others).toHaveLength(0)
  expect(placed).toMatchObject({
    status: 'Order Placed',
    total: total / 100,
    items: [{ name: goods.name, quantity: 2, price: goods.paisa / 100 }],
  })
  // The newest card is open, so that nobody has to look for it.
  await expect(page.getByRole('main')).toContainText(placed?.trackingNumber ?? 'no order')
  await page.goto('/cart')
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeVisible()
})

test.describe('once, whatever happens', ON_DESKTOP, () => {
  test('a double click makes one order', async ({ page, shopper }) => {
    await atCheckout(page, shopper.session)
    const sent = listen(page, PLACE)
    await placeOrder(page).dblclick()
    await toast(page, 'Order placed successfully!')
    expect(await ordersOf(shopper.session)).toHaveLength(1)
    expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1)
  })

  test('an answer that is lost: pressing again brings the same order', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(BROKEN)
    await atCheckout(page, shopper.session)
    const sent = listen(page, PLACE)
    await loseAnswers(page)
    await placeOrder(page).click()
    await toast(page, 'Error placing order. Please try again.')
    const [first] = await ordersOf(shopper.session)
    expect(first, 'the server has got it').toBeDefined()
    await page.unroute(`**${PLACE}`)
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
    expect((await ordersOf(shopper.session)).map(({ orderId }) => orderId)).toEqual([first?.orderId])
    expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1)
    await expect(cartCount(page)).toHaveCount(0)
  })

  test('an answer that is lost, and a reload: one order, and the cart is empty', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(BROKEN)
    await atCheckout(page, shopper.session)
    await loseAnswers(page)
    await placeOrder(page).click()
    await toast(page, 'Error placing order. Please try again.')
    await page.unroute(`**${PLACE}`)
    await page.reload()
    // The shop finds the order by itself, or the button does; both must end here.
    const again = placeOrder(page)
    await expect(
      page
        .getByRole('main')
        .getByText(/My Orders|Your cart is empty|Place Order/)
        .first(),
    ).toBeVisible()
    if (await again.isVisible()) await again.click({ timeout: 3_000 }).catch(() => undefined)
    await expect(cartCount(page)).toHaveCount(0)
    await expect.poll(async () => (await ordersOf(shopper.session)).length).toBe(1)
    await page.goto('/orders')
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(1)
  })
})

/** The server gets the order and answers, but the answer never reaches the page. */
async function loseAnswers(page: Page) {
  await page.route(`**${PLACE}`, async (route) => {
    await route.fetch()
    await route.abort()
  })
}

test.describe('refusals and failures', ON_DESKTOP, () => {
  // spec: 7.answers.1, 8.orders.4
  test("an unsuccessful answer: 'Failed to place order. Please try again.', the cart is kept", async ({
    page,
    shopper,
  }) => {
    await atCheckout(page, shopper.session)
    await unsuccessful(page, PLACE)
    await placeOrder(page).click()
    await toast(page, 'Failed to place order. Please try again.')
    await expect(placeOrder(page)).toBeEnabled()
    await expect(cartCount(page)).toHaveText('1')
    expect(await ordersOf(shopper.session)).toEqual([])
  })

  for (const way of ['no connection', 'a broken server'] as const) {
    // spec: 7.answers.1, 8.orders.5
    test(`${way}: 'Error placing order. Please try again.', the cart is kept`, async ({
      page,
      shopper,
      allowConsole,
    }) => {
      allowConsole(BROKEN)
      await atCheckout(page, shopper.session)
      await (way === 'no connection' ? unreachable : fault)(page, PLACE)
      await placeOrder(page).click()
      await toast(page, 'Error placing order. Please try again.')
      await expect(placeOrder(page)).toBeEnabled()
      await expect(cartCount(page)).toHaveText('1')
      expect(await ordersOf(shopper.session)).toEqual([])
    })
  }

  test('a price that has risen: nothing is placed, the new total is shown, and ordering again accepts it', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    const goods = ownGoods({ paisa: 200_00, stock: 10 })
    await atCheckout(page, shopper.session, [[goods, 1]])
    setPrice(goods, 250_00)
    await placeOrder(page).click()
    await expect(
      page.getByText('The price has changed. Please look at the new total and order again.'),
    ).toBeVisible()
    expect(await ordersOf(shopper.session)).toEqual([])
    await figures(page, bill([[{ paisa: 250_00 }, 1]]))
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
    expect(await ordersOf(shopper.session)).toMatchObject([
      { total: bill([[{ paisa: 250_00 }, 1]]).total / 100 },
    ])
  })

  test('stock that has gone meanwhile: nothing is placed, the line says how many there are, and fewer can be ordered', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    const goods = ownGoods({ stock: 5 })
    await atCheckout(page, shopper.session, [[goods, 2]])
    setStock(goods, 1)
    await placeOrder(page).click()
    await expect(page.getByText(`Only 1 left of ${goods.name}.`)).toBeVisible()
    await expect(page.getByTestId('cart-line')).toContainText('Only 1 available')
    expect(await ordersOf(shopper.session)).toEqual([])
    await page.getByRole('button', { name: `Decrease ${goods.name}` }).click()
    await expect(cartCount(page)).toHaveText('1')
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
  })

  test('something that is sold no more: named, marked, and gone with one press', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    const [goods, rupee] = [fiveHundred(), oneRupee()]
    await atCheckout(page, shopper.session, [
      [goods, 1],
      [rupee, 1],
    ])
    // Archiving would move the counts that other tests look at; the answer is the contract's own.
    const products = [{ _id: goods.id, name: goods.name, nameNe: goods.nameNe, available: 0 }]
    const message = `${goods.name} is no longer sold.`
    await page.route(`**${PLACE}`, (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, code: 'product_gone', message, data: { products } },
      }),
    )
    await placeOrder(page).click()
    await expect(page.getByText(message)).toBeVisible()
    await page.unroute(`**${PLACE}`)
    await page
      .getByTestId('cart-line')
      .filter({ hasText: goods.name })
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
    expect(await ordersOf(shopper.session)).toMatchObject([{ items: [{ name: rupee.name }] }])
  })

  test('a session that has ended: the login dialog, and afterwards the order goes through, once', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    await atCheckout(page, shopper.session)
    const elsewhere = await logIn(shopper)
    await elsewhere.must('POST', '/api/user/sessions/end_all')
    await placeOrder(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(shopper.email)
    await dialog.getByLabel('Password', { exact: true }).fill(shopper.password)
    await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
    await toast(page, 'Logged in successfully.')
    const again = await logIn(shopper)
    await expect(placeOrder(page)).toBeEnabled()
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
    expect(await ordersOf(again)).toHaveLength(1)
    await expect(page).toHaveURL(/\/orders/)
  })

  test('offline: the cart can be edited, Place Order waits and says why', async ({
    page,
    context,
    shopper,
    allowConsole,
  }) => {
    allowConsole(OFFLINE)
    const goods = fiveHundred()
    await atCheckout(page, shopper.session, [[goods, 1]])
    const saved = listen(page, SAVE_CART)
    await context.setOffline(true)
    await expect(placeOrder(page)).toBeDisabled()
    await expect(placeOrder(page)).toHaveAccessibleDescription(/Ordering needs a connection/)
    await page.getByRole('button', { name: `Increase ${goods.name}` }).click()
    await expect(cartCount(page)).toHaveText('2')
    await context.setOffline(false)
    await expect(placeOrder(page)).toBeEnabled()
    await expect.poll(() => saved.length).toBeGreaterThan(0)
    await expect.poll(() => shopper.session.must('GET', '/api/cart/get_cart')).toEqual({ [goods.id]: 2 })
  })
})

test.describe('online', ON_DESKTOP, () => {
  // spec: 8.orders.6
  test('unsuccessful: no toast at all, an explanation beside the button, the cart is kept', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(/status of 503/)
    await withKhalti(page, shopper.session)
    const message = 'Paying online is not possible at the moment. You can pay in cash on delivery.'
    await page.route(`**${PLACE_ONLINE}`, (route) =>
      route.fulfill({
        status: 503,
        json: { success: false, code: 'online_payment_unavailable', message: 'Not now.' },
      }),
    )
    const asked = page.waitForRequest(`**${PLACE_ONLINE}`)
    await placeOrder(page).click()
    expect((await asked).postDataJSON()).toMatchObject({ paymentMethod: 'Khalti' })
    await expect(page.getByTestId('order-problem')).toContainText(message)
    await noToast(page)
    await expect(placeOrder(page)).toBeEnabled()
    await expect(cartCount(page)).toHaveText('1')
  })

  // spec: 8.orders.6
  test('an answer that says no without saying why: no toast either, and the cart is kept', async ({
    page,
    shopper,
  }) => {
    await withKhalti(page, shopper.session)
    await unsuccessful(page, PLACE_ONLINE)
    await placeOrder(page).click()
    await expect(page.getByTestId('order-problem')).toBeVisible()
    await noToast(page)
    await expect(placeOrder(page)).toBeEnabled()
    await expect(cartCount(page)).toHaveText('1')
  })

  // spec: 8.orders.5
  test("no connection: 'Error placing order. Please try again.'", async ({ page, shopper, allowConsole }) => {
    allowConsole(BROKEN)
    await withKhalti(page, shopper.session)
    await unreachable(page, PLACE_ONLINE)
    await placeOrder(page).click()
    await toast(page, 'Error placing order. Please try again.')
    await expect(placeOrder(page)).toBeEnabled()
  })
})

test(
  'what was ordered elsewhere leaves this cart too, what was added meanwhile stays',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const [goods, rupee] = [fiveHundred(), oneRupee()]
    await fillCart(shopper.session, [
      [goods, 1],
      [rupee, 3],
    ])
    await order(shopper.session, [
      [goods, 1],
      [rupee, 1],
    ])
    await open(page, '/cart')
    await expect(page.getByTestId('cart-line')).toHaveCount(1)
    await expect(cartCount(page)).toHaveText('2')
  },
)
