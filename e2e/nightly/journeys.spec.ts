/**
 * Counts the taps of five everyday journeys on a phone, and prints them with the seconds that they took here. It fails
 * only if a journey does not come to its end: `npx playwright test --config nightly/playwright.config.ts journeys`.
 */
import type { Locator, Page } from '@playwright/test'
import { newGoods, placeOrder } from '../support/checkout.ts'
import { SELLER_CATEGORY } from '../support/database.ts'
import { addHome, order, ordersOf } from '../support/orders.ts'
import { register, somebody } from '../support/people.ts'
import { openDashboard, unheard } from '../support/seller-catalogue.ts'
import { expect, isPhone, open, test } from '../support/shop.ts'
import { openCart } from '../support/staff-screens.ts'

test.skip(({ viewport }) => (viewport?.width ?? 0) >= 768, 'taps are counted on a phone')

/** Counts what a person does with a finger. */
function hand(page: Page, journey: string) {
  const began = Date.now()
  let taps = 0
  let characters = 0
  return {
    async tap(target: Locator) {
      taps += 1
      await target.click()
    },
    /** A tap into the field, and the text. */
    async write(target: Locator, text: string) {
      taps += 1
      characters += text.length
      await target.click()
      await target.pressSequentially(text)
    },
    /** A tap on the list of choices, and one on the choice. */
    async choose(target: Locator, choice: string | { label: string }) {
      taps += 2
      await target.selectOption(choice)
    },
    async choosePicked(target: Locator, files: Parameters<Locator['setInputFiles']>[0]) {
      taps += 2
      await target.setInputFiles(files)
    },
    report() {
      expect(isPhone(page)).toBe(true)
      const seconds = ((Date.now() - began) / 1_000).toFixed(1)
      process.stdout.write(
        `\nfigure: journey: ${journey}: ${taps} taps, ${characters} characters, ${seconds} s\n`,
      )
    },
  }
}

test('find and buy rice', async ({ page, shopper }) => {
  await addHome(shopper.session)
  await open(page, '/')
  const { tap, write, report } = hand(page, 'find and buy rice')
  await write(page.getByRole('banner').getByRole('combobox').first(), 'chamal')
  await tap(page.getByRole('grid', { name: 'Suggestions' }).getByRole('gridcell', { name: /^Add / }).first())
  await tap(page.getByRole('link', { name: /^Cart, 1 item/ }).first())
  await tap(placeOrder(page))
  await expect.poll(async () => (await ordersOf(shopper.session)).length).toBe(1)
  report()
})

test("reorder last week's basket", async ({ page, shopper }) => {
  await addHome(shopper.session)
  await order(shopper.session, [
    [await newGoods(), 1],
    [await newGoods(), 2],
  ])
  await open(page, '/')
  const { tap, report } = hand(page, 'reorder last week’s basket')
  await tap(page.getByRole('banner').getByRole('button', { name: /'s account$/ }))
  await tap(
    page.getByRole('link', { name: 'My Orders' }).or(page.getByRole('menuitem', { name: 'My Orders' })),
  )
  await tap(page.getByTestId('order-card').first().getByRole('heading', { level: 2 }).getByRole('button'))
  await tap(page.getByRole('button', { name: 'Buy again' }).first())
  await tap(placeOrder(page))
  await expect.poll(async () => (await ordersOf(shopper.session)).length).toBe(2)
  report()
})

test('change the delivery time', async ({ page, shopper }) => {
  await addHome(shopper.session)
  await open(page, '/')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click()
  await openCart(page, {})
  const { tap, report } = hand(page, 'change the delivery time in the cart')
  await tap(
    page
      .locator('.delivery-time label')
      .filter({ hasText: /4:00|16:00/ })
      .first(),
  )
  report()
})

test('add ten products', async ({ page }) => {
  await openDashboard(page, '/seller')
  const { tap, choosePicked, report } = hand(page, 'add ten products from a spreadsheet')
  await tap(page.getByRole('main').getByRole('link', { name: 'Import' }))
  const rows = Array.from({ length: 10 }, () => `"Crate ${unheard()}","${SELLER_CATEGORY.name}","75.50","12"`)
  await choosePicked(page.getByLabel('CSV or zip file'), {
    name: `goods-${unheard()}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`"name","category","price","stock"\r\n${rows.join('\r\n')}\r\n`),
  })
  const card = page.getByTestId('import')
  await tap(card.getByRole('button', { name: 'Apply', exact: true }))
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }))
  await expect(card).toHaveAttribute('data-state', 'applied')
  report()
})

test('process ten orders', async ({ page }) => {
  const session = await register(somebody())
  const goods = await newGoods({ stock: 10 })
  const placed: { orderId: string }[] = []
  for (let n = 0; n < 10; n += 1) placed.push(await order(session, [[goods, 1]]))
  await openDashboard(page, '/seller/orders')
  const { tap, choose, report } = hand(page, 'confirm ten orders')
  for (const { orderId } of placed) await tap(page.getByLabel(`Select order #${orderId}`))
  await choose(page.getByRole('combobox', { name: 'Set status of 10 orders to' }), 'Order Confirmed')
  await tap(page.getByTestId('bulk').getByRole('button', { name: 'Set status' }))
  await expect
    .poll(async () => (await ordersOf(session)).filter(({ status }) => status === 'Order Confirmed').length)
    .toBe(10)
  report()
})
