import type { Page, Route } from '@playwright/test'
import { cash, chooseKhalti, placeOrder, withKhalti } from '../support/checkout.ts'
import { fiveHundred, oneRupee, ownGoods, stockOf, thirds } from '../support/database.ts'
import { letterTo } from '../support/letters.ts'
import {
  bill,
  fillCart,
  GET_CART,
  type Order,
  ordersOf,
  PLACE_ONLINE,
  rupees,
  setStatus,
  VERIFY,
} from '../support/orders.ts'
import { register, somebody, type Visitor } from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import {
  BROKEN,
  cartCount,
  drawn,
  expect,
  hold,
  listen,
  noToast,
  ON_DESKTOP,
  ON_PHONE,
  open,
  REFUSED,
  takenOver,
  test,
  toast,
} from '../support/shop.ts'
import {
  atPayPage,
  atWallet,
  becomes,
  inLedger,
  misbehave,
  orderOnline,
  orderPaid,
  press,
  unmistakable,
  verify,
} from '../support/wallet.ts'

const state = (page: Page) => page.getByTestId('payment-state')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const fact = (page: Page, name: string) =>
  page.locator('.payment-facts > div').filter({ has: page.getByText(name, { exact: true }) })
const card = (page: Page, { orderId }: Pick<Order, 'orderId'>) =>
  page.getByTestId('order-card').filter({ hasText: orderId })
const payNow = (page: Page, order: Pick<Order, 'orderId'>) =>
  card(page, order).getByRole('button', { name: `Pay now for order ${order.orderId}` })
const stay = (page: Page) => page.getByRole('button', { name: 'Stay on this page' })
const WAITING = /status of (4\d\d|503)/

/** Places the order and comes to the wallet's page. */
async function toWallet(page: Page): Promise<string> {
  await placeOrder(page).click()
  return atPayPage(page)
}

async function onlyOrder(session: Visitor): Promise<Order> {
  const [only, ...others] = await ordersOf(session)
  expect(others).toEqual([])
  if (!only) throw new Error('there is no order')
  return only
}

// spec: 2.payment.3, 3.payment.1, 4.cart.12, 6.shopper.6, 7.answers.3, 7.shopper.7, 7.shopper.8
// spec: 8.success.4, 9.const.25
test("paying: 'Redirecting to Khalti for payment...', the wallet, the result with everything about it, an empty cart, and a confirmed order", async ({
  page,
  shopper,
}) => {
  const goods = thirds()
  await withKhalti(page, shopper.session, [[goods, 2]])
  const { total } = bill([[goods, 2]])
  await placeOrder(page).click()
  await toast(page, 'Redirecting to Khalti for payment...')
  const pidx = await atPayPage(page)
  expect(await inLedger(pidx)).toMatchObject({ amount: total, status: 'Initiated' })
  await expect(page.getByText(rupees(total))).toBeVisible()
  const unpaid = await onlyOrder(shopper.session)
  expect(unpaid).toMatchObject({ status: 'Payment Pending', paymentState: 'awaiting', canPay: true })
  expect(await shopper.session.must('GET', GET_CART), 'the cart stays until it is paid').toEqual({
    [goods.id]: 2,
  })

  await press(page, 'Pay')
  await expect(heading(page, 'Payment successful')).toBeVisible()
  await expect(heading(page, 'Payment successful')).toBeFocused()
  await expect(fact(page, 'Order id')).toContainText(unpaid.orderId)
  await expect(fact(page, 'Tracking number')).toContainText(unpaid.trackingNumber)
  await expect(fact(page, 'Payment method')).toContainText('Khalti')
  await expect(fact(page, 'Amount')).toContainText(`${rupees(total)} (${total} paisa)`)
  expect(new URL(page.url()).search, 'nothing of the payment stays in the address').toBe('')
  await expect(page).toHaveURL(/\/orders(#.*)?$/)
  await expect(cartCount(page)).toHaveCount(0)
  await expect(card(page, unpaid)).toContainText('Order Confirmed')
  await expect(card(page, unpaid)).toContainText('Paid with Khalti')
  expect(await shopper.session.must('GET', GET_CART)).toEqual({})
  expect(await inLedger(pidx)).toMatchObject({ status: 'Completed', taken: total, given_back: 0 })
  await letterTo(shopper.email, ({ text }) => text.includes(unpaid.orderId))
})

// spec: 2.payment.5, 4.payment.1
test('cancelling at the wallet: nothing is charged, the cart is still here, the goods are back on the shelf, and the order can be paid after all', async ({
  page,
  shopper,
  allowConsole,
}) => {
  allowConsole(REFUSED)
  const goods = ownGoods({ stock: 3 })
  await withKhalti(page, shopper.session, [[goods, 2]])
  const pidx = await toWallet(page)
  expect(stockOf(goods)).toBe(1)
  const sent = listen(page, VERIFY)
  await press(page, 'Cancel')
  await expect(heading(page, 'Payment cancelled')).toBeVisible()
  await expect(page.getByText('Your cart is still here.')).toBeVisible()
  await expect(cartCount(page)).toHaveText('2')
  await noToast(page)
  await expect.poll(() => stockOf(goods)).toBe(3)
  expect(sent, 'the shop is told of it, once').toHaveLength(1)

  await page.getByRole('link', { name: 'Back to cart' }).click()
  await expect(page).toHaveURL('/cart')
  const failed = await onlyOrder(shopper.session)
  expect(failed).toMatchObject({ status: 'Payment Failed', paymentState: 'failed', canPay: true })
  await open(page, '/orders')
  await expect(card(page, failed)).toContainText('The payment did not go through. Nothing was charged.')
  await payNow(page, failed).click()
  await toast(page, 'Redirecting to Khalti for payment...')
  const second = await atPayPage(page)
  expect(second).not.toBe(pidx)
  await press(page, 'Pay')
  await expect(heading(page, 'Payment successful')).toBeVisible()
  expect(stockOf(goods)).toBe(1)
  await becomes(shopper.session, failed, { paymentState: 'paid', status: 'Order Confirmed' })
})

test(
  'paid and the tab closed: within 90 seconds the shop has found out by itself, and the cart is empty',
  ON_PHONE,
  async ({ page, shopper }) => {
    test.setTimeout(130_000)
    await withKhalti(page, shopper.session)
    const pidx = await toWallet(page)
    const sent = listen(page, VERIFY)
    await press(page, 'Pay and close the page')
    await expect(page.getByText('The page is closed.')).toBeVisible()
    await page.close()
    const unpaid = await onlyOrder(shopper.session)
    await becomes(shopper.session, unpaid, { status: 'Order Confirmed', paymentState: 'paid' }, 90_000)
    expect(sent).toHaveLength(0)
    expect(await shopper.session.must('GET', GET_CART)).toEqual({})
    expect(await inLedger(pidx)).toMatchObject({ given_back: 0, refunds: 0 })
  },
)

test.describe('two tabs and other days', ON_DESKTOP, () => {
  test('paid in one tab, Back pressed in the other: one order, paid once, and no cart to order again', async ({
    page,
    context,
    shopper,
  }) => {
    await withKhalti(page, shopper.session)
    const pidx = await toWallet(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await press(other, 'Pay')
    await expect(heading(other, 'Payment successful')).toBeVisible()

    await page.goBack()
    await takenOver(page)
    await expect(cartCount(page)).toHaveCount(0)
    await expect(heading(page, 'Your cart is empty')).toBeVisible()
    expect(await onlyOrder(shopper.session)).toMatchObject({ paymentState: 'paid' })
    expect(await inLedger(pidx)).toMatchObject({ refunds: 0 })
  })

  test('Back from the wallet and Place Order again: the same order and the same page of the wallet', async ({
    page,
    shopper,
  }) => {
    await withKhalti(page, shopper.session)
    const pidx = await toWallet(page)
    await page.goBack()
    await takenOver(page)
    await expect(cartCount(page)).toHaveText('1')
    await chooseKhalti(page)
    expect(await toWallet(page)).toBe(pidx)
    await onlyOrder(shopper.session)
  })

  test('Back from the wallet and cash on delivery: the unpaid order gives way, and money that still comes goes back', async ({
    page,
    shopper,
  }) => {
    const goods = ownGoods({ stock: 2 })
    await withKhalti(page, shopper.session, [[goods, 2]])
    const pidx = await toWallet(page)
    await page.goBack()
    await takenOver(page)
    await cash(page).check()
    await placeOrder(page).click()
    await toast(page, 'Order placed successfully!')
    const orders = await ordersOf(shopper.session)
    expect(orders.map(({ paymentMethod, status }) => [paymentMethod, status]).sort()).toEqual([
      ['COD', 'Order Placed'],
      ['Khalti', 'Cancelled'],
    ])
    expect(stockOf(goods)).toBe(0)

    const { taken } = await atWallet(pidx, 'pay')
    const late = await verify(shopper.session, pidx)
    expect(late).toMatchObject({ status: 409, body: { code: 'payment_returned' } })
    await expect.poll(async () => (await inLedger(pidx)).given_back, { timeout: 20_000 }).toBe(taken)
    expect(stockOf(goods)).toBe(0)
  })

  test('the result looked at again the next day: the same success, and the new cart stays', async ({
    page,
    context,
    shopper,
  }) => {
    const placed = await orderPaid(shopper.session, [[fiveHundred(), 1]])
    const rupee = oneRupee()
    await fillCart(shopper.session, [[rupee, 3]])
    const { back } = await inLedger(placed.pidx)
    for (const tab of [page, await context.newPage()]) {
      await tab.goto(back)
      await expect(heading(tab, 'Payment successful')).toBeVisible()
      await stay(tab).click()
      await expect(fact(tab, 'Order id')).toContainText(placed.orderId)
      await tab.reload()
      await expect(heading(tab, 'Payment successful')).toBeVisible()
      await stay(tab).click()
      await expect(cartCount(tab)).toHaveText('3')
    }
    expect(await shopper.session.must('GET', GET_CART)).toEqual({ [rupee.id]: 3 })
    expect((await inLedger(placed.pidx)).told, 'and the wallet is not asked again').toEqual({
      [`Completed ${bill([[fiveHundred(), 1]]).total}`]: 1,
    })
  })

  test('two links of one order, both paid: the first counts, the second goes back, and its page says so', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    await withKhalti(page, shopper.session)
    const first = await toWallet(page)
    await press(page, 'Cancel')
    await expect(heading(page, 'Payment cancelled')).toBeVisible()
    const placed = await onlyOrder(shopper.session)
    await becomes(shopper.session, placed, { canPay: true })
    await open(page, '/orders')
    await payNow(page, placed).click()
    const second = await atPayPage(page)
    await atWallet(second, 'pay')
    expect((await verify(shopper.session, second)).status).toBe(200)

    const { taken, back } = await atWallet(first, 'pay')
    await page.goto(back)
    const said = 'This order was already paid. The second payment goes back to your wallet.'
    await expect(heading(page, 'We could not confirm the payment')).toBeVisible()
    await toast(page, said)
    await expect.poll(async () => (await inLedger(first)).given_back, { timeout: 20_000 }).toBe(taken)
    expect(await inLedger(second)).toMatchObject({ given_back: 0 })
    expect(await onlyOrder(shopper.session)).toMatchObject({ paymentState: 'paid' })
  })
})

test.describe('a wallet that is not well', ON_DESKTOP, () => {
  const SORRY = 'Paying online is not possible at the moment. You can pay in cash on delivery.'

  for (const [name, way] of [
    ['broken', 'error'],
    ['talking nonsense', 'half'],
    ['sending people elsewhere', 'elsewhere'],
  ] as const) {
    test(`${name} when it is asked for a page: no toast, a word beside the button, the cart is kept, nothing is held`, async ({
      page,
      shopper,
      allowConsole,
    }) => {
      allowConsole(WAITING)
      const { goods, amount } = unmistakable()
      await withKhalti(page, shopper.session, [[goods, 1]])
      await misbehave('initiate', way, { amount })
      await placeOrder(page).click()
      await expect(page.getByTestId('order-problem')).toContainText(SORRY)
      await noToast(page)
      await expect(cartCount(page)).toHaveText('1')
      expect(stockOf(goods)).toBe(goods.stock)
      // It is well again: the same press goes through.
      await expect(placeOrder(page)).toBeEnabled()
      await toWallet(page)
      await onlyOrder(shopper.session)
    })
  }

  test("slow when it is asked for a page: 'Processing...', and then there", async ({ page, shopper }) => {
    const { goods, amount } = unmistakable()
    await withKhalti(page, shopper.session, [[goods, 1]])
    await misbehave('initiate', 'slow', { amount }, { ms: 2_000 })
    await placeOrder(page).click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    await atPayPage(page)
    await onlyOrder(shopper.session)
  })

  // spec: 2.payment.2, 4.payment.1
  test('slow when it is asked about a payment: verifying, and then paid', async ({ page, shopper }) => {
    const placed = await orderOnline(shopper.session, [[fiveHundred(), 1]])
    const { back } = await atWallet(placed.pidx, 'pay')
    await misbehave('lookup', 'slow', { pidx: placed.pidx }, { ms: 2_000, times: 3 })
    await page.goto(back)
    await expect(heading(page, 'Verifying your payment…')).toBeVisible()
    await expect(state(page).getByRole('status')).toHaveAttribute('aria-busy', 'true')
    await expect(heading(page, 'Payment successful')).toBeVisible()
  })

  for (const way of ['error', 'half', 'unknown'] as const) {
    test(`'${way}' when it is asked about a payment: the payment is safe, home after a while, and the shop settles it`, async ({
      page,
      shopper,
      allowConsole,
    }) => {
      allowConsole(WAITING)
      const placed = await orderOnline(shopper.session, [[fiveHundred(), 1]])
      const { back } = await atWallet(placed.pidx, 'pay')
      // The page and the shop's own rounds both ask, however often: it is not well until the page has left.
      await misbehave('lookup', way, { pidx: placed.pidx }, { times: 1000 })
      await page.goto(back)
      await expect(page.getByText('Your payment is safe.')).toBeVisible()
      await expect(page).toHaveURL('/', { timeout: 10_000 })
      await misbehave('lookup', way, { pidx: placed.pidx }, { times: 0 })
      await becomes(shopper.session, placed, { paymentState: 'paid' }, 90_000)
    })
  }

  test('still Pending: the payment is safe, the order waits, and is confirmed when the money is there', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(WAITING)
    await withKhalti(page, shopper.session)
    const pidx = await toWallet(page)
    await press(page, 'Pay, still pending')
    // Without a transaction the page cannot know better than the specification: cancelled. The order is not.
    await expect(heading(page, 'Payment cancelled')).toBeVisible()
    const waiting = await onlyOrder(shopper.session)
    expect(waiting).toMatchObject({ paymentState: 'awaiting', status: 'Payment Pending' })
    await atWallet(pidx, 'pay')
    await becomes(shopper.session, waiting, { paymentState: 'paid' }, 90_000)
  })
})

test.describe('the page of the result', ON_PHONE, () => {
  const RETURN = '/payment?pidx=P1&txnId=T1&purchase_order_id=O1&purchase_order_name=Order+of+bread'
  const PAID = {
    orderId: 'TH-ABCD',
    trackingNumber: 'TRK-1',
    paymentMethod: 'Khalti',
    amount: 1130,
    amountPaisa: 113_000,
  }

  const START = new Date('2026-11-15T10:00:00Z')
  const after = (seconds: number) => new Date(START.getTime() + seconds * 1000)
  type Answer = (route: Route) => Promise<void>
  const says =
    (status: number, json: object): Answer =>
    (route) =>
      route.fulfill({ status, json })

  /** The answer waits until it is released: by then the clock stands still, and what follows is measured from there. */
  async function holdVerdict(page: Page, answer: Answer): Promise<() => void> {
    await page.clock.install({ time: START })
    return (await hold(page, `**${VERIFY}`, answer)).release
  }

  /** Runs the clock in small steps until the state is drawn. */
  async function until(page: Page, wanted: string) {
    await expect(async () => {
      await page.clock.runFor(5)
      expect(await state(page).getAttribute('data-state')).toBe(wanted)
    }).toPass({ intervals: [10] })
  }

  async function leavesAfter(page: Page, seconds: number, to: RegExp) {
    await page.clock.runFor(seconds * 1000 - 150)
    expect(new URL(page.url()).pathname).toBe('/payment')
    await page.clock.runFor(300)
    await expect(page).toHaveURL(to)
  }

  // spec: 2.payment.1, 2.payment.2, 2.payment.3, 4.payment.1, 4.payment.4, 7.shopper.8, 9.const.22
  // spec: 9.const.25
  test('verifying carries all four values; success tells the order, and leads to the orders after 3 s, not before', async ({
    page,
    shopper: _signedIn,
  }) => {
    const asked = page.waitForRequest(`**${VERIFY}`)
    const release = await holdVerdict(
      page,
      says(200, { success: true, message: 'Payment confirmed.', data: PAID }),
    )
    await open(page, RETURN)
    expect((await asked).postDataJSON()).toEqual({
      pidx: 'P1',
      txnId: 'T1',
      purchase_order_id: 'O1',
      purchase_order_name: 'Order of bread',
    })
    await expect(heading(page, 'Verifying your payment…')).toBeVisible()
    expect(new URL(page.url()).search).toBe('')
    await page.clock.pauseAt(after(15))
    release()
    await until(page, 'success')
    await expect(fact(page, 'Order id')).toContainText('TH-ABCD')
    await expect(fact(page, 'Tracking number')).toContainText('TRK-1')
    await expect(fact(page, 'Amount')).toContainText('Rs. 1130.00 (113000 paisa)')
    await expect(state(page).getByRole('status')).toContainText('Going to your orders in 3 s')
    await leavesAfter(page, 3, /\/orders(#.*)?$/)
  })

  for (const [what, path, calls] of [
    ['without txnId', '/payment?pidx=P1&purchase_order_id=O1&purchase_order_name=N&status=User+canceled', 1],
    ['without pidx', '/payment?txnId=T1&purchase_order_id=O1&purchase_order_name=N', 0],
    ['without anything', '/payment', 0],
  ] as const) {
    // spec: 2.payment.5, 4.payment.2
    test(`${what}: cancelled, ${calls} calls, the cart is kept, home after 3 s`, async ({
      page,
      shopper,
      allowConsole,
    }) => {
      allowConsole(REFUSED)
      await fillCart(shopper.session, [[fiveHundred(), 1]])
      const sent = listen(page, VERIFY)
      await open(page, path)
      await expect(heading(page, 'Payment cancelled')).toBeVisible()
      await expect(page.getByText('Your cart is still here.')).toBeVisible()
      await expect(page).toHaveURL('/', { timeout: 5_000 })
      expect(sent).toHaveLength(calls)
      expect(await shopper.session.must('GET', GET_CART)).not.toEqual({})
    })
  }

  // spec: 4.payment.3, 9.const.22
  test('cancelled leads home after 3 s and not before', async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    await page.clock.install({ time: START })
    await open(page, '/about')
    await page.clock.pauseAt(after(600))
    await page.evaluate(() => {
      history.pushState({}, '', '/payment')
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    })
    await until(page, 'cancelled')
    await leavesAfter(page, 3, /\/$/)
  })

  // spec: 2.payment.4, 4.payment.1, 4.payment.5, 8.payment.1
  test('a refusal with the server’s words: the error state, the words as a toast, and nobody is sent away', async ({
    page,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    const message = 'The payment was not completed. Nothing was charged.'
    const release = await holdVerdict(
      page,
      says(409, { success: false, code: 'payment_not_completed', message }),
    )
    await open(page, RETURN)
    release()
    await expect(heading(page, 'We could not confirm the payment')).toBeVisible()
    await expect(state(page).getByRole('alert')).toContainText(message)
    await toast(page, message)
    await expect(page.getByText('P1', { exact: true })).toBeVisible()
    await expect(stay(page)).toHaveCount(0)
    await page.clock.runFor(20_000)
    await expect(page).toHaveURL('/payment')
  })

  for (const way of ['500', 'no connection'] as const) {
    // spec: 4.payment.6, 4.payment.7, 8.payment.2, 8.payment.3, 9.const.23
    test(`${way}: the payment is safe, and home after 5 s, not before`, async ({ page, allowConsole }) => {
      allowConsole(BROKEN, WAITING)
      const release = await holdVerdict(
        page,
        way === '500' ? says(500, { success: false, message: '' }) : (route) => route.abort(),
      )
      await open(page, RETURN)
      await page.clock.pauseAt(after(15))
      release()
      await until(page, 'error')
      await expect(state(page).getByRole('alert')).toContainText('Your payment is safe.')
      await expect(page.getByTestId('toast')).toHaveCount(0)
      await leavesAfter(page, 5, /\/$/)
    })
  }

  test("'Stay on this page' stops the clock", async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    await page.clock.install({ time: START })
    await open(page, '/payment')
    await stay(page).click()
    await page.clock.runFor(20_000)
    await drawn(page)
    await expect(page).toHaveURL('/payment')
    await expect(heading(page, 'Payment cancelled')).toBeVisible()
  })
})

test.describe('whose payment it is', ON_DESKTOP, () => {
  test('nobody signed in: confirmed, but nothing about the order; after the login all of it', async ({
    page,
  }) => {
    const person = somebody()
    const session = await register(person)
    const placed = await orderOnline(session, [[fiveHundred(), 1]])
    const { back } = await atWallet(placed.pidx, 'pay')
    await page.goto(back)
    await expect(heading(page, 'Payment successful')).toBeVisible()
    await expect(page.getByText('Log in to see your order.')).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText(placed.orderId)
    await becomes(session, placed, { paymentState: 'paid' })
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(person.email)
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
    await expect(fact(page, 'Order id')).toContainText(placed.orderId)
  })

  test('somebody else: not found', async ({ page, shopper: _another, allowConsole }) => {
    allowConsole(REFUSED)
    const owner = await register(somebody())
    const placed = await orderOnline(owner, [[fiveHundred(), 1]])
    const { back } = await atWallet(placed.pidx, 'pay')
    await page.goto(back)
    await expect(heading(page, 'We could not confirm the payment')).toBeVisible()
    await toast(page, 'Payment not found')
    await expect(page.getByRole('main')).not.toContainText(placed.orderId)
    await becomes(owner, placed, { paymentState: 'paid' })
  })
})

test("'Payment Pending' has a card with Pay now, which leads to the same page of the wallet", async ({
  page,
  shopper,
}) => {
  const placed = await orderOnline(shopper.session, [[fiveHundred(), 1]])
  await open(page, '/orders')
  const shown = card(page, placed)
  await expect(shown).toContainText('Payment Pending')
  await expect(shown).toContainText('Waiting for your payment')
  await expect(shown.getByTestId('order-status')).toHaveAttribute('data-look', 'other')
  await payNow(page, placed).click()
  await toast(page, 'Redirecting to Khalti for payment...')
  expect(await atPayPage(page)).toBe(placed.pidx)
})

test(
  'Pay now for something that is sold out meanwhile: said beside it, nothing is charged',
  ON_PHONE,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(REFUSED)
    const goods = ownGoods({ stock: 1 })
    const placed = await orderOnline(shopper.session, [[goods, 1]])
    await atWallet(placed.pidx, 'cancel')
    await verify(shopper.session, placed.pidx)
    const other = await register(somebody())
    await orderPaid(other, [[goods, 1]])
    await open(page, '/orders')
    await payNow(page, placed).click()
    await expect(card(page, placed).getByTestId('pay-problem')).toContainText(goods.name)
  },
)

test.describe('at the seller’s desk', ON_DESKTOP, () => {
  test('a paid order that the seller cancels is given back at the wallet, and the shopper sees it', async ({
    page,
    shopper,
  }) => {
    const seller = await sellerSession()
    const placed = await orderPaid(shopper.session, [[fiveHundred(), 1]])
    await open(page, '/orders')
    await expect(card(page, placed)).toContainText('Order Confirmed')
    await setStatus(seller, placed, 'Cancelled')
    await expect(card(page, placed)).toContainText(/Your money is (on its way back to|back in) Khalti\./)
    await expect.poll(async () => (await inLedger(placed.pidx)).status, { timeout: 20_000 }).toBe('Refunded')
    await becomes(shopper.session, placed, { paymentState: 'refunded' })
    await page.reload()
    await expect(card(page, placed)).toContainText('Your money is back in Khalti.')
    expect(await inLedger(placed.pidx)).toMatchObject({ refunds: 1 })
  })

  test('a shopper cancels a paid order that was not sent: the dialog tells of the money, and it goes back', async ({
    page,
    shopper,
  }) => {
    const placed = await orderPaid(shopper.session, [[fiveHundred(), 1]])
    await open(page, `/orders#${placed.orderId}`)
    await card(page, placed)
      .getByRole('button', { name: /Cancel/ })
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('What you paid goes back to your Khalti wallet.')
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await toast(page, 'Order cancelled. Your money is on its way back.')
    await expect.poll(async () => (await inLedger(placed.pidx)).status, { timeout: 20_000 }).toBe('Refunded')
  })

  test('unpaid orders are not the seller’s business until they are asked for', async ({ page, shopper }) => {
    const unpaid = await orderOnline(shopper.session, [[fiveHundred(), 1]])
    const seller = await sellerSession()
    await seller.enter(page.context())
    await open(page, '/seller/orders')
    await page.getByRole('main').getByLabel('Search by order id or status').fill(unpaid.orderId)
    await expect(page.getByTestId('order-card')).toHaveCount(0)
  })

  test('another amount came: a case; checked again, given back, and marked as handled', async ({
    page,
    shopper,
  }) => {
    const placed = await orderOnline(shopper.session, [[fiveHundred(), 1]])
    const { total } = bill([[fiveHundred(), 1]])
    await atWallet(placed.pidx, 'pay', { amount: total - 100 })
    expect(await verify(shopper.session, placed.pidx)).toMatchObject({
      status: 409,
      body: { code: 'payment_conflict' },
    })
    const seller = await sellerSession()
    await seller.enter(page.context())
    await open(page, '/seller/attention')
    const found = page
      .locator('[data-testid=case][data-kind=amount_mismatch]')
      .filter({ hasText: placed.orderId })
    await expect(found).toBeVisible()
    await expect(found.getByTestId('case-payment')).toContainText(rupees(total))
    await expect(found.getByTestId('case-payment')).toContainText(rupees(total - 100))
    await found.getByRole('button', { name: 'Check again' }).click()
    await expect(page.getByTestId('toast')).toHaveCount(1)
    await found.getByRole('button', { name: /Refund/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(rupees(total - 100))
    await dialog.getByRole('button', { name: /Refund/ }).click()
    await expect
      .poll(async () => (await inLedger(placed.pidx)).given_back, { timeout: 20_000 })
      .toBe(total - 100)
    await found.getByRole('button', { name: 'Mark as handled' }).click()
    await expect(found).toHaveCount(0)
  })

  test('the money of the day: what came and went back, on the page and in the file', async ({
    page,
    shopper,
  }) => {
    const seller = await sellerSession()
    const total = bill([[fiveHundred(), 1]]).total / 100
    type Report = { total: Record<string, number>; days: { date: string; paid: number }[] }
    const report = () => seller.must<Report>('GET', '/api/order/money_report')
    const before = await report()
    await orderPaid(shopper.session, [[fiveHundred(), 1]])
    const after = await report()
    // Others pay at the same time: at least this much more.
    expect((after.total.paid ?? 0) - (before.total.paid ?? 0)).toBeGreaterThanOrEqual(total)
    expect(after.days).toHaveLength(7)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kathmandu' }).format(Date.now())
    expect(after.days.at(-1)?.date ?? after.days[0]?.date).toBe(today)

    await seller.enter(page.context())
    await open(page, '/seller/money')
    await expect(page.getByTestId('total-paid')).toContainText('Rs. ')
    const download = page.waitForEvent('download')
    await page.locator('a[download]').click()
    const text = (await (await download).createReadStream().then(read)).trim()
    const [head, ...lines] = text.split(/\r?\n/)
    expect(head).toContain('date')
    expect(lines.length).toBeGreaterThanOrEqual(7)
    expect(text).toContain(today)
  })
})

async function read(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const part of stream) text += part.toString()
  return text
}

// spec: 8.orders.6
test(
  'an unsuccessful online order says nothing in a toast',
  ON_PHONE,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(WAITING)
    await withKhalti(page, shopper.session)
    await page.route(`**${PLACE_ONLINE}`, (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, code: 'too_many_unpaid', message: 'Two of your orders wait.' },
      }),
    )
    await placeOrder(page).click()
    await expect(page.getByTestId('order-problem')).toContainText('still waiting for their payment')
    await noToast(page)
    await expect(
      page.getByTestId('order-problem').getByRole('link', { name: 'Go to My Orders' }),
    ).toBeVisible()
  },
)
