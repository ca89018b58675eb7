import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type BuyingScreen, groceries, lines } from './buying-screens.ts'
import { fillCart, PLACE_ONLINE, setStatus, VERIFY } from './orders.ts'
import { register, somebody, type Visitor } from './people.ts'
import { newSeller, sellerSession } from './seller.ts'
import { atWallet, becomes, orderOnline, orderPaid, verify } from './wallet.ts'

/**
 * Online orders in each state that looks different; each has its own product, because ordering the same again would end
 * the previous order.
 */
export async function payer(): Promise<Visitor> {
  const goods = await groceries()
  const session = await register(somebody('Ram Bahadur Karki'))
  const seller = await sellerSession(newSeller())
  const of = (n: number) => lines(goods.slice(n, n + 1), 2)
  const odd = await orderOnline(session, of(0))
  await atWallet(odd.pidx, 'pay', { amount: 100_00 })
  await verify(session, odd.pidx)
  const back = await orderPaid(session, of(1))
  await setStatus(seller, back, 'Cancelled')
  // A refund can be withdrawn for two minutes before it is sent.
  await becomes(session, back, { paymentState: 'refunded' }, { timeout: 300_000 })
  await orderPaid(session, of(2))
  const failed = await orderOnline(session, of(3))
  await atWallet(failed.pidx, 'cancel')
  await verify(session, failed.pidx)
  const due = await orderPaid(session, of(4))
  await setStatus(seller, due, 'Cancelled')
  await orderOnline(session, of(5))
  await fillCart(session, lines(goods, 1, 2))
  return session
}

const RETURN =
  '/payment?pidx=HT6o6PEZRWFJ5ygavzHWd5&txnId=4H7AhoXDJWg5WjrcPT9ixW&purchase_order_id=x&purchase_order_name=y'

const messages = (lang: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../data/messages/server/${lang}.json`), 'utf8'))

/** The server's messages, from English to Nepali, for mocked responses. */
const NEPALI = new Map(Object.entries(messages('en')).map(([id, text]) => [text, messages('ne')[id]]))

/** Translates a mocked response if the page is in Nepali. */
async function inTheirWords(page: Page, said: Answer): Promise<Answer> {
  const { message = '' } = said.json
  const nepali = (await page.locator('html').getAttribute('lang')) === 'ne' && NEPALI.get(message)
  return nepali ? { ...said, json: { ...said.json, message: nepali } } : said
}

type Answer = { status: number; json: { message?: string; [other: string]: unknown } }
type Said = Answer | 'nothing'

/** The result page in its first state: the response is mocked, and the redirect is disabled. */
const result = (said: Said, path = RETURN) => ({
  path: '/about',
  prepare: async (page: Page) => {
    await page.route(`**${VERIFY}`, async (route) =>
      said === 'nothing' ? undefined : route.fulfill(await inTheirWords(page, said)),
    )
    await page.addInitScript(() => {
      const { setTimeout: later, setInterval: often } = window
      window.setTimeout = ((work: TimerHandler, ms?: number) =>
        ms === 3_000 || ms === 5_000 ? 0 : later(work, ms)) as typeof setTimeout
      window.setInterval = ((work: TimerHandler, ms?: number) =>
        ms === 1_000 ? 0 : often(work, ms)) as typeof setInterval
    })
    await page.goto(path)
    await page.locator('.toaster').waitFor({ state: 'attached' })
    const state = said === 'nothing' ? 'verifying' : undefined
    await page
      .locator(state ? `[data-state=${state}]` : '[data-testid=payment-state]:not([data-state=verifying])')
      .waitFor()
  },
})

const paid = {
  orderId: 'TH7K2M9X',
  trackingNumber: 'NP4821907355',
  paymentMethod: 'Khalti',
  amount: 1130,
  amountPaisa: 113_000,
}
const refused = (status: number, code: string, message: string) => ({
  status,
  json: { success: false, code, message },
})

export const PAYING_SCREENS: BuyingScreen[] = [
  { name: 'payment-verifying', who: 'payer', ...result('nothing') },
  {
    name: 'payment-success',
    who: 'payer',
    ...result({ status: 200, json: { success: true, message: 'Payment confirmed.', data: paid } }),
  },
  {
    name: 'payment-success-visitor',
    ordinary: true,
    who: 'visitor',
    ...result({ status: 200, json: { success: true, message: 'Payment confirmed.', data: null } }),
  },
  {
    name: 'payment-error',
    who: 'payer',
    ...result(refused(503, 'payment_pending', 'Your payment is safe. We are confirming it.')),
  },
  {
    name: 'payment-refused',
    who: 'payer',
    ...result(
      refused(
        409,
        'payment_conflict',
        'We received a different amount than expected. We are checking it and will contact you.',
      ),
    ),
  },
  {
    name: 'payment-cancelled',
    who: 'payer',
    ...result(
      refused(409, 'payment_not_completed', ''),
      '/payment?pidx=HT6o6PEZRWFJ5ygavzHWd5&status=User+canceled',
    ),
  },
  {
    name: 'cart-wallet-refused',
    path: '/cart',
    who: 'buyer',
    prepare: async (page) => {
      await page.route(`**${PLACE_ONLINE}`, (route) =>
        route.fulfill(
          refused(503, 'online_payment_unavailable', 'Online payment is not available right now.'),
        ),
      )
      await page.locator('[data-testid=cart-line]').first().waitFor()
      await page.locator('#payment input[type=radio]').last().check()
      await page.locator('#payment .choices-inner input').check()
      await page.locator('.order-submit button:enabled').click()
      await page.locator('[data-testid=order-problem]').waitFor()
    },
  },
  {
    name: 'orders-payments',
    path: '/orders',
    who: 'payer',
    prepare: (page) => page.locator('[data-testid=order-payment] button').first().waitFor(),
  },
  {
    name: 'seller-attention',
    path: '/seller/attention',
    who: 'cashier',
    prepare: (page) => page.locator('[data-testid=case-payment]').first().waitFor(),
  },
  {
    name: 'seller-attention-empty',
    ordinary: true,
    path: '/seller/orders',
    who: 'seller',
    prepare: async (page) => {
      // Other tests have open cases as well.
      await page.route('**/api/order/get_cases?**', (route) =>
        route.fulfill({ json: { success: true, message: '', data: [], nextCursor: null, open: 0 } }),
      )
      await page.goto('/seller/attention')
      await page.locator('main h1').waitFor()
      await page.locator('.skeleton-late').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'seller-money',
    path: '/seller/money',
    who: 'cashier',
    prepare: (page) => page.locator('.money-table tbody tr').first().waitFor(),
  },
  {
    name: 'seller-cash',
    path: '/seller/cash',
    who: 'seller',
    prepare: (page) => page.locator('.cash-box').first().waitFor(),
  },
  {
    // Cash only, which is paid without a wallet.
    name: 'seller-money-cash',
    ordinary: true,
    path: '/seller/money',
    who: 'seller',
    prepare: (page) => page.locator('.money-table tbody tr').first().waitFor(),
  },
]
