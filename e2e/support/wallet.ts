import { randomInt, randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { newGoods, type OwnGoods } from './checkout.ts'
import type { Goods } from './database.ts'
import { bill, type Order, orderBody, ordersOf, PLACE_ONLINE, VERIFY } from './orders.ts'
import type { Visitor } from './people.ts'

/** A payment in the wallet (tools/wallet/README.md). */
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
  /** The URL that the payer's browser returns to. */
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

/** Performs an action of the payer, or lets time pass, without a browser. */
export const atWallet = (
  pidx: string,
  does: 'pay' | 'cancel' | 'expire' | 'pend' | 'refund',
  more: { amount?: number; afterMs?: number; account?: string } = {},
) => behindTheCounter<WalletPayment>(`/payments/${pidx}/${does}`, more)

/** A wallet account; `balance` is in paisa. */
export type Account = { id: string; balance: number; declined: number }

/** Creates an account for this test. */
export const newAccount = (balance = 1_000_000_00) => behindTheCounter<Account>('/accounts', { balance })

export const accountNow = ({ id }: Account) => behindTheCounter<Account>(`/accounts/${id}`)

/** Pays on the wallet's page from that account. */
export async function payFrom(page: Page, { id }: Account) {
  await page.getByLabel('Wallet', { exact: true }).fill(id)
  await press(page, 'Pay')
}

type Whom = { pidx: string } | { amount: number } | { account: string }

/**
 * Makes the next calls fail for that payment, for a future payment of that amount, or for that account; never for
 * others.
 */
export const misbehave = (call: 'initiate' | 'lookup', way: 'error' | 'pending', whom: Whom, times = 1) =>
  behindTheCounter('/behave', { call, way, times, ...whom })

/** Stops these failures. */
export const behaveAgain = (call: 'initiate' | 'lookup', whom: Whom) =>
  behindTheCounter('/behave', { call, times: 0, ...whom })

/** A product whose order has a unique total, by which the wallet recognises the payment before it exists. */
export async function unmistakable(stock = 5): Promise<{ goods: OwnGoods; amount: number }> {
  const goods = await newGoods({ paisa: randomInt(200_001, 999_999), stock })
  return { goods, amount: bill([[goods, 1]]).total }
}

export const pidxOf = (address: string) => new URL(address).searchParams.get('pidx') ?? ''

/** Waits for the wallet's page; returns the id of the payment. */
export async function atPayPage(page: Page): Promise<string> {
  await page.waitForURL((url) => url.href.startsWith(`${walletUrl()}/?pidx=`))
  return pidxOf(page.url())
}

/** Presses one of the buttons of the wallet's page. */
export const press = (page: Page, name: 'Pay' | 'Cancel') =>
  page.getByRole('button', { name, exact: true }).click()

export type OnlineOrder = { _id: string; orderId: string; trackingNumber: string; pidx: string; url: string }

/** Places an online order without a browser; it is not paid. */
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

/** Places a paid order without a browser, from a wallet account if one is named. */
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

/** Polls an order until it matches, because the worker polls payments too. */
export async function becomes(
  session: Visitor,
  { _id }: Pick<Order, '_id'>,
  wanted: Partial<Order>,
  options?: { timeout: number },
) {
  await expect
    .poll(async () => (await ordersOf(session)).find((each) => each._id === _id), options)
    .toMatchObject(wanted)
}
