/**
 * A wallet for tests and development that implements Khalti's documented web checkout (initiate, lookup, refund), with
 * a payment page and its own ledger. It is never part of a release and shares nothing with the shop, so that the books
 * of both can be compared. README.md describes its features and how to make it misbehave.
 *
 *   node wallet.mjs [--port N] [--secret KEY] [--link-seconds N] [--ledger FILE] [--with-parent]
 *
 * When it is ready, it prints KHALTI_URL and KHALTI_SECRET_KEY as KEY=value lines. It ends on SIGTERM, and with
 * --with-parent also when its standard input closes. With --ledger it writes every event to that file before it
 * responds, and starts with the events in the file: restarted on the same port and with the same key, it is the same
 * wallet.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    secret: { type: 'string', default: `live_secret_key_${randomBytes(16).toString('hex')}` },
    'link-seconds': { type: 'string', default: '3600' },
    ledger: { type: 'string' },
    'with-parent': { type: 'boolean', default: false },
  },
})
const LINK_SECONDS = Number(values['link-seconds'])
/** The wallets of Khalti's sandbox, which always have enough money, and those that tests have created. */
const isWallet = (id) => /^980000000[0-5]$/.test(id ?? '') || accounts.has(id)
const MPIN = '1111'
const OTP = '987654'

const id = (bytes) => randomBytes(bytes).toString('base64url').replace(/[-_]/g, 'x')

// The ledger.

/** Payments by pidx and by transaction id, so that every lookup is direct. */
const payments = new Map()
const byTransaction = new Map()
/** Accounts that tests have created, by their number. */
const accounts = new Map()
let ledgerFile = null

/** The events of payments and accounts. Each is one line of the ledger, and the only way to change them. */
const EVENTS = {
  opened: (_, { account, balance }) => {
    accounts.set(account, { id: account, balance, declined: 0 })
  },
  declined: (payment, { account }) => {
    payment.account = account
    accounts.get(account).declined += 1
  },
  made: (_, payment) => {
    payments.set(payment.pidx, { transactions: [], given_back: 0, refunds: 0, told: {}, ms: {}, ...payment })
  },
  paid: (payment, { transaction_id, amount, at, account }) => {
    payment.transactions.push({ transaction_id, amount, at })
    payment.account = account ?? payment.account
    change(account, -amount)
    byTransaction.set(transaction_id, payment)
    payment.status = 'Completed'
    payment.pays_at = null
  },
  cancelled: (payment) => {
    payment.status = 'User canceled'
  },
  pending: (payment, { pays_at = null }) => {
    payment.status = 'Pending'
    payment.pays_at = pays_at
  },
  ends: (payment, { at }) => {
    payment.ends_at = at
  },
  refunded: (payment, { amount }) => {
    payment.given_back += amount
    change(payment.account, amount)
    payment.status = payment.given_back < taken(payment) ? 'Partially Refunded' : 'Refunded'
  },
  // Responses and refund requests are counted, so that the shop's own records can be compared with them.
  told: (payment, { status, amount }) => {
    const key = status === 'Completed' ? `Completed ${amount}` : status
    payment.told[key] = (payment.told[key] ?? 0) + 1
  },
  refund_asked: (payment) => {
    payment.refunds += 1
  },
}

/** Adds money to or takes it from a test's account; the sandbox's own accounts have no balance. */
function change(account, amount) {
  const found = accounts.get(account)
  if (found) found.balance += amount
}

const taken = (payment) => payment.transactions.reduce((sum, { amount }) => sum + amount, 0)

function happen(event, pidx, more = {}) {
  EVENTS[event](payments.get(pidx), event === 'made' ? { ...more, pidx } : more)
  if (ledgerFile !== null) writeSync(ledgerFile, `${JSON.stringify({ event, pidx, ...more })}\n`)
}

function openLedger(file) {
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      // The last line may be incomplete, and then its event was never reported.
      if (!line.endsWith('}')) continue
      const { event, pidx, ...more } = JSON.parse(line)
      happen(event, pidx, more)
    }
  }
  ledgerFile = openSync(file, 'a')
}

/** Finds a payment; one with a delayed completion completes on access. */
function find(pidx) {
  const payment = payments.get(pidx)
  if (payment?.pays_at && Date.now() >= payment.pays_at) DOES.pay(payment, {})
  return payment
}

const isOver = (payment) => Date.now() >= payment.ends_at
const statusOf = (payment) => (payment.status === 'Initiated' && isOver(payment) ? 'Expired' : payment.status)
/** The amount that the wallet reports as paid or payable. */
const totalOf = (payment) => payment.transactions[0]?.amount ?? payment.amount
const shown = (payment) => ({
  ...payment,
  status: statusOf(payment),
  transaction_id: payment.transactions[0]?.transaction_id ?? null,
  taken: taken(payment),
})

/** Actions of the payer, of the wallet's staff or of time, in any state. */
const DOES = {
  /** `amount` replaces the requested sum; `afterMs` is how long it stays Pending. Paying twice counts once. */
  pay(payment, { amount, afterMs, account }) {
    if (payment.transactions.length > 0) return
    if (afterMs) happen('pending', payment.pidx, { pays_at: Date.now() + afterMs })
    else
      happen('paid', payment.pidx, {
        transaction_id: id(12),
        amount: amount ?? payment.amount,
        at: Date.now(),
        ...(account ? { account } : {}),
      })
  },
  /** The same link accepts money again, which a wallet must never do. */
  'pay-again'(payment) {
    happen('paid', payment.pidx, { transaction_id: id(12), amount: payment.amount, at: Date.now() })
  },
  cancel(payment) {
    if (payment.transactions.length === 0) happen('cancelled', payment.pidx)
  },
  expire(payment) {
    happen('ends', payment.pidx, { at: Date.now() })
  },
  pend(payment) {
    if (payment.transactions.length === 0) happen('pending', payment.pidx)
  },
  /** A refund by the wallet's staff, not by the shop. */
  refund(payment, { amount }) {
    const rest = taken(payment) - payment.given_back
    if (rest > 0) happen('refunded', payment.pidx, { amount: Math.min(amount ?? rest, rest) })
  },
}

// Misbehaviour.

/** The requested ways by call and target, oldest first. */
const asked = new Map()
let chance = null
const keyOf = (call, { pidx = '', order = '', amount = '', account = '' } = {}) =>
  `${call} ${pidx} ${order} ${amount} ${account}`

/** A small random generator in the style of SplitMix64: the same seed gives the same faults. */
function roll() {
  chance.state = (chance.state + 0x9e3779b9) >>> 0
  let z = chance.state
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return ((z ^ (z >>> 16)) >>> 0) / 0x1_0000_0000
}

const ANY = ['slow', 'error', 'html', 'cut', 'half', 'nonsense']
const ALSO = { initiate: ['lost'], lookup: ['pending', 'unknown'], refund: ['lost'] }
const ASKED_ONLY = {
  initiate: ['hang', 'key', 'elsewhere'],
  lookup: ['hang', 'key', 'less', 'more', 'text', 'twin', 'missing'],
  refund: ['hang', 'key', 'refused'],
}
const WAYS = Object.fromEntries(
  Object.keys(ALSO).map((call) => [call, [...ANY, ...ALSO[call], ...ASKED_ONLY[call]]]),
)

/** The way in which this call misbehaves, if it does. */
function wayOf(call, payment = {}) {
  const { pidx, purchase_order_id: order, amount, account } = payment
  for (const whom of [{ pidx }, { order }, { amount }, { account }, {}]) {
    const key = keyOf(call, whom)
    const [way] = asked.get(key) ?? []
    if (!way) continue
    way.times -= 1
    if (way.times <= 0) asked.get(key).shift()
    return way
  }
  if (chance && roll() < chance.share) {
    const ways = [...ANY, ...ALSO[call]]
    return { way: ways[Math.floor(roll() * ways.length)], ms: 50 + Math.floor(roll() * chance.ms) }
  }
  return {}
}

function behave(response, wanted) {
  const { seed = 1, share, ms = 2_000, call, way, times = 1, ...whom } = wanted
  if (share !== undefined) chance = share > 0 ? { state: Number(seed) >>> 0, share, ms } : null
  else if (!WAYS[call]) {
    json(response, 400, { detail: `call is one of ${Object.keys(WAYS).join(', ')}` })
    return
  } else if (times === 0) {
    const all = Object.keys(whom).length === 0
    for (const key of asked.keys())
      if (all ? key.startsWith(`${call} `) : key === keyOf(call, whom)) asked.delete(key)
  } else if (!WAYS[call].includes(way)) {
    json(response, 400, { detail: `way is one of ${WAYS[call].join(', ')}` })
    return
  } else {
    const key = keyOf(call, whom)
    asked.set(key, [...(asked.get(key) ?? []), { way, times, ms }])
  }
  json(response, 200, { chance, asked: Object.fromEntries(asked) })
}

/** Returns true when the response was replaced here; ways that only change its content are left to the caller. */
async function spoil(response, { way, ms = 1_000 }) {
  if (way === 'slow') await new Promise((resolve) => setTimeout(resolve, ms))
  else if (way === 'hang') return true
  else if (way === 'error') json(response, 500, { detail: 'A server error occurred.' })
  else if (way === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' })
    response.end('<html><body><h1>502 Bad Gateway</h1></body></html>')
  } else if (way === 'cut') response.socket?.destroy()
  else if (way === 'half') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"pidx": "')
  } else if (way === 'key') json(response, 401, { detail: 'Invalid token.', status_code: 401 })
  else if (way === 'missing') json(response, 404, { detail: 'Not found.', error_key: 'validation_error' })
  else if (way === 'nonsense') json(response, 200, ['what', { is: 'this' }])
  return response.writableEnded || response.destroyed || response.socket?.destroyed === true
}

// The API for the shop.

const calls = Object.fromEntries(Object.keys(WAYS).map((call) => [call, { calls: 0, spoiled: 0, ways: {} }]))

/** Counts a call and its duration; `payment` may be created inside. */
async function counted(call, way, work) {
  const started = performance.now()
  calls[call].calls += 1
  if (way) {
    calls[call].spoiled += 1
    calls[call].ways[way] = (calls[call].ways[way] ?? 0) + 1
  }
  const payment = await work()
  if (payment) payment.ms[call] = (payment.ms[call] ?? 0) + performance.now() - started
}

const json = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function isLetIn(request, response) {
  const sent = request.headers.authorization ?? ''
  if (!/^key /i.test(sent)) {
    json(response, 401, { detail: 'Authentication credentials were not provided.', status_code: 401 })
    return false
  }
  if (sent.slice(4).trim() !== values.secret) {
    json(response, 401, { detail: 'Invalid token.', status_code: 401 })
    return false
  }
  return true
}

/** Khalti's samples write amounts as numbers and as texts. */
const integerOf = (value) =>
  Number.isInteger(value)
    ? value
    : typeof value === 'string' && /^\d{1,15}$/.test(value)
      ? Number(value)
      : null

function problemsOf(body) {
  const problems = {}
  const isUrl = (text) => typeof text === 'string' && /^https?:/.test(text) && URL.canParse(text)
  for (const field of ['return_url', 'website_url']) {
    if (!body[field]) problems[field] = ['This field may not be blank.']
    else if (!isUrl(body[field])) problems[field] = ['Enter a valid URL.']
  }
  for (const field of ['purchase_order_id', 'purchase_order_name']) {
    if (!body[field]) problems[field] = ['This field may not be blank.']
  }
  const amount = integerOf(body.amount)
  if (amount === null) problems.amount = ['A valid integer is required.']
  else if (amount < 1_000) problems.amount = ['Amount should be greater than Rs. 10, that is 1000 paisa.']
  const breakdown = body.amount_breakdown
  if (Array.isArray(breakdown) && breakdown.reduce((sum, part) => sum + Number(part?.amount), 0) !== amount) {
    problems.amount_breakdown = ['Amount Breakdown mismatch.']
  }
  return problems
}

async function initiate(request, response, body) {
  if (!isLetIn(request, response)) return
  const problems = problemsOf(body)
  if (Object.keys(problems).length > 0) {
    json(response, 400, { ...problems, error_key: 'validation_error' })
    return
  }
  const amount = integerOf(body.amount)
  const wrong = wayOf('initiate', { ...body, pidx: undefined, amount })
  await counted('initiate', wrong.way, async () => {
    if (await spoil(response, wrong)) return
    const pidx = id(16)
    const ends_at = Date.now() + LINK_SECONDS * 1_000
    happen('made', pidx, {
      purchase_order_id: String(body.purchase_order_id),
      purchase_order_name: String(body.purchase_order_name),
      amount,
      return_url: body.return_url,
      status: 'Initiated',
      ends_at,
    })
    if (wrong.way === 'lost') response.socket?.destroy()
    else {
      const host = wrong.way === 'elsewhere' ? 'https://pay.evil.example' : base
      // Khalti writes its times in Nepal's time zone.
      const local = new Date(ends_at + 345 * 60_000).toISOString().replace('Z', '+05:45')
      json(response, 200, {
        pidx,
        payment_url: `${host}/?pidx=${pidx}`,
        expires_at: local,
        expires_in: LINK_SECONDS,
      })
    }
    return payments.get(pidx)
  })
}

/** The transaction of another payment, for the fault in which two payments share one. */
function anotherTransaction(payment) {
  for (const [transaction, owner] of byTransaction) if (owner !== payment) return transaction
  return null
}

async function lookup(request, response, body) {
  if (!isLetIn(request, response)) return
  if (!body.pidx) {
    json(response, 400, { pidx: ['This field may not be blank.'], error_key: 'validation_error' })
    return
  }
  const payment = find(body.pidx)
  const wrong = wayOf('lookup', payment)
  await counted('lookup', wrong.way, async () => {
    if (await spoil(response, wrong)) return payment
    if (!payment) {
      json(response, 404, { detail: 'Not found.', error_key: 'validation_error' })
      return undefined
    }
    let status = statusOf(payment)
    if (wrong.way === 'pending' && status === 'Completed') status = 'Pending'
    if (wrong.way === 'unknown') status = 'Under Review'
    const total = totalOf(payment) + ({ less: -1, more: 1 }[wrong.way] ?? 0)
    const own = payment.transactions[0]?.transaction_id ?? null
    happen('told', payment.pidx, { status, amount: total })
    // Khalti sends two of its ordinary responses with status 400.
    json(response, status === 'Expired' || status === 'User canceled' ? 400 : 200, {
      pidx: payment.pidx,
      total_amount: wrong.way === 'text' ? String(total) : total,
      status,
      transaction_id: wrong.way === 'twin' ? (anotherTransaction(payment) ?? own) : own,
      fee: 0,
      refunded: status === 'Refunded',
    })
    return payment
  })
}

async function refund(request, response, transaction, body) {
  if (!isLetIn(request, response)) return
  const payment = byTransaction.get(transaction)
  if (payment) happen('refund_asked', payment.pidx)
  const wrong = wayOf('refund', payment)
  await counted('refund', wrong.way, async () => {
    if (await spoil(response, wrong)) return payment
    const rest = payment ? taken(payment) - payment.given_back : 0
    const amount = body.amount === undefined ? rest : integerOf(body.amount)
    if (!payment) json(response, 404, { detail: 'Not found.' })
    else if (wrong.way === 'refused') json(response, 400, { detail: 'Refund is not possible.' })
    else if (rest === 0) json(response, 400, { detail: 'Transaction already refunded.' })
    else if (amount === null || amount < 1 || amount > rest)
      json(response, 400, { amount: ['A valid integer is required.'], error_key: 'validation_error' })
    else {
      happen('refunded', payment.pidx, { amount })
      if (wrong.way === 'lost') response.socket?.destroy()
      else json(response, 200, { detail: 'Transaction refund successful.' })
    }
    return payment
  })
}

// The pages for the payer.

/** The URL that the payer's browser returns to, with the parameters of Khalti's documentation. */
function wayBack(payment, mobile = '9800000000') {
  const paid = payment.transactions.at(-1)?.transaction_id
  const back = new URL(payment.return_url)
  const said = {
    pidx: payment.pidx,
    ...(paid ? { txnId: paid } : {}),
    amount: totalOf(payment),
    total_amount: totalOf(payment),
    status: statusOf(payment),
    mobile: paid ? `${mobile.slice(0, 2)}XXXXX${mobile.slice(7)}` : '',
    tidx: paid ?? '',
    purchase_order_id: payment.purchase_order_id,
    purchase_order_name: payment.purchase_order_name,
    transaction_id: paid ?? '',
  }
  for (const [name, value] of Object.entries(said)) back.searchParams.set(name, String(value))
  return back.href
}

const asText = (text) =>
  String(text).replace(
    /[&<>"']/g,
    (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c],
  )

function page(response, inside, status = 200) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>Test wallet</title><style>
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#f4f0fa;color:#241736}
main{max-width:22rem;margin:2rem auto;padding:1.5rem;background:#fff;border-radius:.75rem;box-shadow:0 1px 6px #0002}
h1{font-size:1.25rem;margin:0 0 1rem;color:#5c2d91}label{display:block;margin:.75rem 0 .25rem}
input{width:100%;box-sizing:border-box;padding:.7rem;font:inherit;border:1px solid #8a7aa0;border-radius:.4rem}
button{width:100%;margin-top:1rem;padding:.8rem;font:inherit;font-weight:600;border:1px solid #5c2d91;border-radius:.4rem}
button{background:#fff;color:#5c2d91}button.main{background:#5c2d91;color:#fff}
summary{margin-top:1rem;cursor:pointer}.sum{font-size:1.5rem;font-weight:700}[role=alert]{color:#b00020}
</style></head><body><main><h1>Test wallet</h1>${inside}</main></body></html>`)
}

const noPayment = (response) => page(response, '<p>There is no such payment.</p>', 404)
/** A payer who has cancelled may still pay while the link is valid. */
const isPayable = (payment) => ['Initiated', 'User canceled'].includes(statusOf(payment)) && !isOver(payment)

function payPage(response, payment, problem = '') {
  if (!isPayable(payment)) {
    page(
      response,
      `<p>This payment is over: ${asText(statusOf(payment))}.</p>
<p><a href="${asText(wayBack(payment))}">Back to the shop</a></p>`,
    )
    return
  }
  page(
    response,
    `<p>${asText(payment.purchase_order_name)}</p><p class="sum">Rs. ${(payment.amount / 100).toFixed(2)}</p>
<p>No money moves here. Wallets 9800000000 to 9800000005, MPIN 1111, OTP 987654.</p>
${problem ? `<p role="alert">${asText(problem)}</p>` : ''}
<form method="post" action="/pay"><input type="hidden" name="pidx" value="${asText(payment.pidx)}">
<label for="id">Wallet</label><input id="id" name="id" inputmode="numeric" value="9800000000">
<label for="mpin">MPIN</label><input id="mpin" name="mpin" type="password" inputmode="numeric" value="1111">
<label for="otp">OTP</label><input id="otp" name="otp" inputmode="numeric" value="987654">
<button class="main">Pay</button>
<button formaction="/cancel">Cancel</button>
<details><summary>Other ways this may go</summary>
<button name="then" value="close">Pay and close the page</button>
<button name="then" value="pend">Pay, still pending</button>
<button formaction="/close">Close without paying</button></details></form>`,
  )
}

const closed = (response) => page(response, '<p>The page is closed. The shop hears nothing of it.</p>')

function payer(response, path, form) {
  const payment = find(form.get('pidx'))
  if (!payment) return noPayment(response)
  if (path === '/close') return closed(response)
  const isRight = isWallet(form.get('id')) && form.get('mpin') === MPIN && form.get('otp') === OTP
  if (path === '/pay' && !isRight) return payPage(response, payment, 'Wallet, MPIN or OTP is wrong.')
  if (isPayable(payment)) {
    const does = path === '/cancel' ? 'cancel' : form.get('then') === 'pend' ? 'pend' : 'pay'
    const account = accounts.has(form.get('id')) ? form.get('id') : undefined
    if (path === '/pay' && account && accounts.get(account).balance < payment.amount) {
      happen('declined', payment.pidx, { account })
      return payPage(response, payment, 'Declined: this wallet does not have enough money.')
    }
    DOES[does](payment, { account })
  }
  if (form.get('then') === 'close') return closed(response)
  response.writeHead(303, { location: wayBack(payment, form.get('id') ?? undefined) })
  response.end()
}

// Routes.

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

const asJson = (text) => {
  try {
    const value = JSON.parse(text)
    return value && typeof value === 'object' ? value : {}
  } catch {
    return {}
  }
}

/** Creates many payments at once, as if each had been initiated. */
function load(response, rows) {
  for (const row of rows) {
    const { pidx, transaction_id, ...payment } = row
    happen('made', pidx, {
      purchase_order_name: 'Loaded',
      return_url: base,
      ends_at: Date.now() + LINK_SECONDS * 1_000,
      ...payment,
      status: 'Initiated',
    })
    if (payment.status === 'Completed')
      happen('paid', pidx, {
        transaction_id: transaction_id ?? id(12),
        amount: payment.amount,
        at: Date.now(),
      })
  }
  json(response, 200, { loaded: rows.length })
}

/** Creates an account for a test with this balance. */
function openAccount(response, { balance = 1_000_000_00 }) {
  let account
  do account = `98${String(randomInt(10 ** 8)).padStart(8, '0')}`
  while (isWallet(account))
  happen('opened', null, { account, balance })
  json(response, 200, accounts.get(account))
}

async function answer(request, response) {
  const url = new URL(request.url, base)
  const text = request.method === 'POST' ? await bodyOf(request) : ''
  const route = `${request.method} ${url.pathname}`
  const [, first, second, third] = url.pathname.split('/')
  if (route === 'POST /api/v2/epayment/initiate/') await initiate(request, response, asJson(text))
  else if (route === 'POST /api/v2/epayment/lookup/') await lookup(request, response, asJson(text))
  else if (/^POST \/api\/merchant-transaction\/[^/]+\/refund\/$/.test(route))
    await refund(request, response, third, asJson(text))
  else if (route === 'GET /') {
    const payment = find(url.searchParams.get('pidx'))
    if (payment) payPage(response, payment)
    else noPayment(response)
  } else if (['POST /pay', 'POST /cancel', 'POST /close'].includes(route))
    payer(response, url.pathname, new URLSearchParams(text))
  else if (route === 'POST /behave') behave(response, asJson(text))
  else if (route === 'GET /calls') json(response, 200, calls)
  else if (route === 'POST /accounts') openAccount(response, asJson(text))
  else if (request.method === 'GET' && first === 'accounts' && accounts.has(second))
    json(response, 200, accounts.get(second))
  else if (route === 'POST /payments') load(response, asJson(text))
  else if (route === 'GET /payments')
    json(
      response,
      200,
      [...payments.keys()].map((pidx) => shown(find(pidx))),
    )
  else if (first === 'payments' && payments.has(second) && (!third || Object.hasOwn(DOES, third))) {
    const payment = find(second)
    if (request.method === 'POST' && third) DOES[third](payment, asJson(text))
    json(response, 200, { ...shown(payment), back: wayBack(payment) })
  } else json(response, 404, { detail: 'Not found.' })
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.socket?.destroy())
})
// Closing an idle connection while the shop starts to send would be an unintended fault.
server.keepAliveTimeout = 120_000
let base = ''
if (values.ledger) openLedger(values.ledger)
server.listen(Number(values.port), '127.0.0.1', () => {
  // Under this host name the wallet is another site than 127.0.0.1 to a browser, as Khalti is to the shop.
  base = `http://localhost:${server.address().port}`
  process.stdout.write(`KHALTI_URL=${base}\nKHALTI_SECRET_KEY=${values.secret}\n`)
})
const end = () => process.exit(0)
process.on('SIGTERM', end)
process.on('SIGINT', end)
if (values['with-parent']) process.stdin.on('end', end).resume()
