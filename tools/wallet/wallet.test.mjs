/** The behaviour that the shop and its drivers depend on: node --test tools/wallet/wallet.test.mjs */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** Starts a wallet for this test and returns a client for it. */
async function open(t, ...options) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'wallet.mjs'), '--with-parent', ...options],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  t.after(() => child.kill('SIGKILL'))
  const said = {}
  let text = ''
  for await (const part of child.stdout) {
    text += part
    if (/KHALTI_SECRET_KEY=.*\n/.test(text)) break
  }
  for (const line of text.trim().split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line)
    said[name] = value
  }
  const call = async (path, body, headers = { authorization: `Key ${said.KHALTI_SECRET_KEY}` }) => {
    const response = await fetch(said.KHALTI_URL + path, {
      redirect: 'manual',
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers,
    })
    const answer = await response.text()
    return {
      status: response.status,
      body: answer.startsWith('{') || answer.startsWith('[') ? JSON.parse(answer) : answer,
    }
  }
  const press = (path, form) =>
    fetch(said.KHALTI_URL + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
  return {
    ...said,
    child,
    call,
    press,
    make: async (more = {}) => (await call('/api/v2/epayment/initiate/', { ...ORDER, ...more })).body,
    lookup: (pidx) => call('/api/v2/epayment/lookup/', { pidx }),
    refund: (id, body = {}) => call(`/api/merchant-transaction/${id}/refund/`, body),
  }
}

const ORDER = {
  return_url: 'http://shop.example/payment?from=wallet',
  website_url: 'http://shop.example',
  amount: 58_500,
  purchase_order_id: 'A-1',
  purchase_order_name: 'Order A',
}
const RIGHT = { id: '9800000003', mpin: '1111', otp: '987654' }

test('a payment: made, paid on the page, looked up, given back, each as documented', async (t) => {
  const wallet = await open(t)
  const earliest = Date.now()
  const made = await wallet.make()
  const latest = Date.now()
  assert.equal(made.payment_url, `${wallet.KHALTI_URL}/?pidx=${made.pidx}`)
  assert.equal(made.expires_in, 3600)
  assert.match(made.expires_at, /\+05:45$/)
  const ends = Date.parse(made.expires_at) - 3_600_000
  assert.ok(earliest <= ends && ends <= latest)
  assert.deepEqual(await wallet.lookup(made.pidx), {
    status: 200,
    body: {
      pidx: made.pidx,
      total_amount: 58_500,
      status: 'Initiated',
      transaction_id: null,
      fee: 0,
      refunded: false,
    },
  })

  const wrong = await wallet.press('/pay', { ...RIGHT, pidx: made.pidx, mpin: '2222' })
  assert.match(await wrong.text(), /Wallet, MPIN or OTP is wrong/)
  const paid = await wallet.press('/pay', { ...RIGHT, pidx: made.pidx })
  const back = new URL(paid.headers.get('location'))
  assert.equal(`${back.origin}${back.pathname}`, 'http://shop.example/payment')
  const { body: said } = await wallet.lookup(made.pidx)
  assert.deepEqual(Object.fromEntries(back.searchParams), {
    from: 'wallet',
    pidx: made.pidx,
    txnId: said.transaction_id,
    amount: '58500',
    total_amount: '58500',
    status: 'Completed',
    mobile: '98XXXXX003',
    tidx: said.transaction_id,
    purchase_order_id: 'A-1',
    purchase_order_name: 'Order A',
    transaction_id: said.transaction_id,
  })
  assert.equal(said.status, 'Completed')

  assert.deepEqual(await wallet.refund(said.transaction_id), {
    status: 200,
    body: { detail: 'Transaction refund successful.' },
  })
  assert.equal((await wallet.refund(said.transaction_id)).status, 400)
  const { body: after } = await wallet.lookup(made.pidx)
  assert.deepEqual([after.status, after.refunded], ['Refunded', true])
  const { body: kept } = await wallet.call(`/payments/${made.pidx}`)
  assert.deepEqual([kept.taken, kept.given_back, kept.refunds], [58_500, 58_500, 2])
  assert.equal(kept.told['Completed 58500'], 1)
})

test('cancelled and expired come with HTTP 400; who cancelled goes back without txnId, and may pay after all', async (t) => {
  const wallet = await open(t)
  const { pidx } = await wallet.make()
  const left = await wallet.press('/cancel', { pidx })
  const back = new URL(left.headers.get('location')).searchParams
  assert.deepEqual(
    [back.get('status'), back.has('txnId'), back.get('transaction_id'), back.get('mobile')],
    ['User canceled', false, '', ''],
  )
  assert.deepEqual((await wallet.lookup(pidx)).status, 400)
  await wallet.press('/pay', { ...RIGHT, pidx })
  assert.equal((await wallet.lookup(pidx)).body.status, 'Completed')

  const late = await wallet.make()
  await wallet.call(`/payments/${late.pidx}/expire`, {})
  const expired = await wallet.lookup(late.pidx)
  assert.deepEqual([expired.status, expired.body.status], [400, 'Expired'])
  await wallet.press('/pay', { ...RIGHT, pidx: late.pidx })
  assert.equal((await wallet.lookup(late.pidx)).body.status, 'Expired')
  await wallet.call(`/payments/${late.pidx}/pay`, {})
  assert.equal((await wallet.lookup(late.pidx)).body.status, 'Completed')
})

test('refusals have the documented bodies', async (t) => {
  const wallet = await open(t)
  const initiate = (body, headers) => wallet.call('/api/v2/epayment/initiate/', body, headers)
  assert.deepEqual(await initiate(ORDER, {}), {
    status: 401,
    body: { detail: 'Authentication credentials were not provided.', status_code: 401 },
  })
  assert.deepEqual(await initiate(ORDER, { authorization: 'Key wrong' }), {
    status: 401,
    body: { detail: 'Invalid token.', status_code: 401 },
  })
  for (const [wrong, field, text] of [
    [{ amount: 999 }, 'amount', 'Amount should be greater than Rs. 10, that is 1000 paisa.'],
    [{ amount: 12.5 }, 'amount', 'A valid integer is required.'],
    [{ purchase_order_id: '' }, 'purchase_order_id', 'This field may not be blank.'],
    [{ return_url: 'nowhere' }, 'return_url', 'Enter a valid URL.'],
    [{ amount_breakdown: [{ label: 'a', amount: 1 }] }, 'amount_breakdown', 'Amount Breakdown mismatch.'],
  ]) {
    assert.deepEqual(await initiate({ ...ORDER, ...wrong }), {
      status: 400,
      body: { [field]: [text], error_key: 'validation_error' },
    })
  }
  assert.deepEqual(await wallet.lookup('nobody'), {
    status: 404,
    body: { detail: 'Not found.', error_key: 'validation_error' },
  })
})

test('told to stop misbehaving, it stops for that payment, or for all', async (t) => {
  const wallet = await open(t)
  const [one, other] = [await wallet.make(), await wallet.make({ amount: 1_000 })]
  for (const { pidx } of [one, other])
    await wallet.call('/behave', { call: 'lookup', way: 'error', pidx, times: 100 })
  const both = async () => [(await wallet.lookup(one.pidx)).status, (await wallet.lookup(other.pidx)).status]
  assert.deepEqual(await both(), [500, 500])
  await wallet.call('/behave', { call: 'lookup', pidx: one.pidx, times: 0 })
  assert.deepEqual(await both(), [200, 500])
  await wallet.call('/behave', { call: 'lookup', times: 0 })
  assert.deepEqual(await both(), [200, 200])
})

test('told to misbehave, it does so, as often as asked and for whom', async (t) => {
  const wallet = await open(t)
  const [one, other] = [await wallet.make(), await wallet.make({ amount: 1_000 })]
  await wallet.call('/behave', { call: 'lookup', way: 'error', pidx: one.pidx, times: 2 })
  assert.equal((await wallet.lookup(other.pidx)).status, 200)
  assert.deepEqual(
    [await wallet.lookup(one.pidx), await wallet.lookup(one.pidx), await wallet.lookup(one.pidx)].map(
      ({ status }) => status,
    ),
    [500, 500, 200],
  )
  await wallet.call('/behave', { call: 'initiate', way: 'lost', amount: 7_700 })
  await assert.rejects(wallet.make({ amount: 7_700 }))
  assert.equal((await wallet.call('/payments')).body.filter(({ amount }) => amount === 7_700).length, 1)
  await wallet.call(`/payments/${one.pidx}/pay`, { amount: 1_234 })
  assert.equal((await wallet.lookup(one.pidx)).body.total_amount, 1_234)
  await wallet.call(`/payments/${other.pidx}/pay`, { afterMs: 3_600_000 })
  assert.equal((await wallet.lookup(other.pidx)).body.status, 'Pending')
  await wallet.call(`/payments/${other.pidx}/pay`, { afterMs: 1 })
  while ((await wallet.lookup(other.pidx)).body.status !== 'Completed')
    await new Promise((resolve) => setTimeout(resolve, 1))
  await wallet.call(`/payments/${other.pidx}/pay-again`, {})
  assert.equal((await wallet.call(`/payments/${other.pidx}`)).body.taken, 2_000)
  assert.equal((await wallet.call('/behave', { call: 'lookup', way: 'dance' })).status, 400)
  const { body: calls } = await wallet.call('/calls')
  assert.deepEqual(calls.lookup.ways, { error: 2 })
})

test('the same seed spoils the same calls', async (t) => {
  const outcomes = async () => {
    const wallet = await open(t)
    const { pidx } = await wallet.make()
    await wallet.call('/behave', { seed: 7, share: 0.5, ms: 1 })
    const seen = []
    for (let n = 0; n < 20; n += 1)
      seen.push(
        await wallet.lookup(pidx).then(
          ({ status }) => status,
          () => 'cut',
        ),
      )
    return seen
  }
  const [first, second] = [await outcomes(), await outcomes()]
  assert.deepEqual(first, second)
  assert.ok(new Set(first).size > 2)
})

test('killed and started again with its ledger, it knows everything', async (t) => {
  const ledger = join(mkdtempSync(join(tmpdir(), 'wallet-')), 'ledger.jsonl')
  const wallet = await open(t, '--ledger', ledger)
  const { pidx } = await wallet.make()
  await wallet.call(`/payments/${pidx}/pay`, {})
  const { body: before } = await wallet.lookup(pidx)
  wallet.child.kill('SIGKILL')
  await new Promise((resolve) => wallet.child.once('exit', resolve))

  const port = new URL(wallet.KHALTI_URL).port
  const again = await open(t, '--ledger', ledger, '--port', port, '--secret', wallet.KHALTI_SECRET_KEY)
  assert.deepEqual((await again.lookup(pidx)).body, before)
  assert.equal((await again.refund(before.transaction_id)).status, 200)
})

test('many payments can be loaded at once, and each can be looked up and given back', async (t) => {
  const wallet = await open(t)
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    pidx: `p${n}`,
    purchase_order_id: `o${n}`,
    amount: 2_000,
    status: 'Completed',
    transaction_id: `t${n}`,
  }))
  assert.deepEqual((await wallet.call('/payments', rows)).body, { loaded: 20_000 })
  assert.equal((await wallet.lookup('p19999')).body.transaction_id, 't19999')
  assert.equal((await wallet.refund('t19999')).status, 200)
})

test('an account of a test’s own pays what it has, is declined beyond it, and gets its money back', async (t) => {
  const wallet = await open(t)
  const { body: account } = await wallet.call('/accounts', { balance: 100_000 })
  const { body: another } = await wallet.call('/accounts', {})
  assert.notEqual(account.id, another.id)
  const payer = { ...RIGHT, id: account.id }
  const first = await wallet.make()
  assert.equal((await wallet.press('/pay', { ...payer, pidx: first.pidx })).status, 303)
  const now = async () => (await wallet.call(`/accounts/${account.id}`)).body
  assert.deepEqual(await now(), { id: account.id, balance: 41_500, declined: 0 })

  const second = await wallet.make()
  const declined = await wallet.press('/pay', { ...payer, pidx: second.pidx })
  assert.match(await declined.text(), /does not have enough money/)
  assert.deepEqual(await now(), { id: account.id, balance: 41_500, declined: 1 })
  assert.equal((await wallet.lookup(second.pidx)).body.status, 'Initiated')
  // Another account can still pay for it.
  assert.equal((await wallet.press('/pay', { ...payer, id: another.id, pidx: second.pidx })).status, 303)

  const { body: paid } = await wallet.lookup(first.pidx)
  await wallet.refund(paid.transaction_id)
  assert.equal((await now()).balance, 100_000)
  const unknown = await wallet.press('/pay', { ...RIGHT, id: '9811111111', pidx: (await wallet.make()).pidx })
  assert.match(await unknown.text(), /Wallet, MPIN or OTP is wrong/)
})

test('told to misbehave for one account, it does so for its payments alone', async (t) => {
  const wallet = await open(t)
  const payments = []
  for (let n = 0; n < 2; n += 1) {
    const { body: account } = await wallet.call('/accounts', {})
    const { pidx } = await wallet.make()
    await wallet.press('/pay', { ...RIGHT, id: account.id, pidx })
    payments.push({ pidx, account: account.id })
  }
  const [one, other] = payments
  await wallet.call('/behave', { call: 'lookup', way: 'error', account: one.account, times: 100 })
  const both = async () => [(await wallet.lookup(one.pidx)).status, (await wallet.lookup(other.pidx)).status]
  assert.deepEqual(await both(), [500, 200])
  await wallet.call('/behave', { call: 'lookup', account: one.account, times: 0 })
  assert.deepEqual(await both(), [200, 200])
})

test('a part is given back, then the rest; more than that is refused', async (t) => {
  const wallet = await open(t)
  const made = await wallet.make()
  await wallet.press('/pay', { ...RIGHT, pidx: made.pidx })
  const { body: said } = await wallet.lookup(made.pidx)

  assert.equal((await wallet.refund(said.transaction_id, { amount: 8_500 })).status, 200)
  const { body: part } = await wallet.lookup(made.pidx)
  assert.deepEqual([part.status, part.refunded], ['Partially Refunded', false])
  assert.equal((await wallet.refund(said.transaction_id, { amount: 50_001 })).status, 400)
  assert.equal((await wallet.refund(said.transaction_id, { amount: 50_000 })).status, 200)
  const { body: all } = await wallet.lookup(made.pidx)
  assert.deepEqual([all.status, all.refunded], ['Refunded', true])

  const { body: kept } = await wallet.call(`/payments/${made.pidx}`)
  assert.deepEqual([kept.taken, kept.given_back, kept.refunds], [58_500, 58_500, 3])
})
