import { randomInt, randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { newGoods, type OwnGoods } from './checkout.ts'
import type { Goods } from './database.ts'
import { bill, type Order, orderBody, ordersOf, PLACE_ONLINE, VERIFY } from './orders.ts'
import type { Visitor } from './people.ts'

/** The wallet's side of a payment (tools/wallet/README.md). */
export type WalletPayment = {
  pidx: string
  purchase_order_id: string
  amount: number
  status: string
  transaction_id: string | null
  taken: number
  given_back: number
  refunds: number
  told: Record<string, number>
  /** Where the payer's browser goes back to. */
  back: string
}

function walletUrl(): string {
  const url = process.env.KHALTI_URL
  if (!url) throw new Error('KHALTI_URL is not set: take it from the lines that scripts/stack up prints')
  return url
}

async function behindTheCounter<T>(path: string, body?: Record<string, unknown>): Promise<T> {
  const response = await fetch(walletUrl() + path, body ? { method: 'POST', body: JSON.stringify(body) } : {})
  if (!response.ok) throw new Error(`the wallet does not do that: ${await response.text()}`)
  return (await response.json()) as T
}

export const inLedger = (pidx: string) => behindTheCounter<WalletPayment>(`/payments/${pidx}`)

/** As the payer or time would do it, without a browser. */
export const atWallet = (
  pidx: string,
  does: 'pay' | 'cancel' | 'expire' | 'pend' | 'refund',
  more: { amount?: number; afterMs?: number; account?: string } = {},
) => behindTheCounter<WalletPayment>(`/payments/${pidx}/${does}`, more)

/** A wallet with money in it, of which `balance` is left, in paisa. */
export type Account = { id: string; balance: number; declined: number }

/** An account of this test's own: nobody else pays from it. */
export const newAccount = (balance = 1_000_000_00) => behindTheCounter<Account>('/accounts', { balance })

export const accountNow = ({ id }: Account) => behindTheCounter<Account>(`/accounts/${id}`)

/** Pays on the wallet's page from that account. */
export async function payFrom(page: Page, { id }: Account) {
  await page.getByLabel('Wallet', { exact: true }).fill(id)
  await press(page, 'Pay')
}

type Whom = { pidx: string } | { amount: number } | { account: string }

/** Spoils the next calls for that payment, for one of that amount that is still to be made, or for that account; never for others. */
export const misbehave = (call: 'initiate' | 'lookup', way: 'error' | 'pending', whom: Whom, times = 1) =>
  behindTheCounter('/behave', { call, way, times, ...whom })

/** Ends what was asked for it. */
export const behaveAgain = (call: 'initiate' | 'lookup', whom: Whom) =>
  behindTheCounter('/behave', { call, times: 0, ...whom })

/** Goods of which nobody else's order has the total: by its amount the wallet knows the payment before it is made. */
export async function unmistakable(stock = 5): Promise<{ goods: OwnGoods; amount: number }> {
  const goods = await newGoods({ paisa: randomInt(200_001, 999_999), stock })
  return { goods, amount: bill([[goods, 1]]).total }
}

export const pidxOf = (address: string) => new URL(address).searchParams.get('pidx') ?? ''

/** The wallet's page, which the browser has come to; returns the payment's number. */
export async function atPayPage(page: Page): Promise<string> {
  await page.waitForURL((url) => url.href.startsWith(`${walletUrl()}/?pidx=`))
  return pidxOf(page.url())
}

/** Presses one of the buttons of the wallet's page. */
export const press = (page: Page, name: 'Pay' | 'Cancel') =>
  page.getByRole('button', { name, exact: true }).click()

export type OnlineOrder = { _id: string; orderId: string; trackingNumber: string; pidx: string; url: string }

/** An online order without a browser, still to be paid. */
export async function orderOnline(session: Visitor, lines: [Goods, number][]): Promise<OnlineOrder> {
  const answer = await session.call<Omit<OnlineOrder, 'pidx' | 'url'> & { payment_url: string }>(
    'POST',
    PLACE_ONLINE,
    orderBody(lines, 'Khalti'),
    { 'idempotency-key': randomUUID() },
  )
  if (!answer.body.success)
    throw new Error(`the order was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  const { payment_url: url, ...placed } = answer.body.data
  return { ...placed, url, pidx: pidxOf(url) }
}

export const verify = (session: Visitor, pidx: string) => session.call('POST', VERIFY, { pidx, txnId: 'x' })

/** A paid order without a browser, from an account of the wallet where one is named. */
export async function orderPaid(
  session: Visitor,
  lines: [Goods, number][],
  account?: Account,
): Promise<OnlineOrder> {
  const placed = await orderOnline(session, lines)
  await atWallet(placed.pidx, 'pay', account ? { account: account.id } : {})
  const answer = await verify(session, placed.pidx)
  if (!answer.body.success) throw new Error(`not confirmed: ${answer.status} ${JSON.stringify(answer.body)}`)
  return placed
}

/** What the shop says of an order, read until it fits: payments are looked at by the worker, too. */
export async function becomes(
  session: Visitor,
  { _id }: Pick<Order, '_id'>,
  wanted: Partial<Order>,
  timeout = 15_000,
) {
  await expect
    .poll(async () => (await ordersOf(session)).find((each) => each._id === _id), { timeout })
    .toMatchObject(wanted)
}
