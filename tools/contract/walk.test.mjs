/**
 * Proves that the walk detects errors: it runs against the same shop with one response or request changed, and must
 * fail. It needs the same environment as the walk.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

const WALK = path.join(import.meta.dirname, 'walk.mjs')

/** Runs the walk with a `fetch` that changes the responses (or, with `asked`, the requests) of one call. */
function walk({ call, asked = false, spoil }) {
  const source = `
    const fetchWell = globalThis.fetch
    const spoil = ${spoil ?? '() => {}'}
    globalThis.fetch = async (url, init) => {
      const is = \`\${init.method} \${new URL(url).pathname}\`.startsWith(${JSON.stringify(call ?? 'none')})
      if (is && ${asked}) init = { ...init, body: JSON.stringify(spoil(JSON.parse(init.body))) }
      const response = await fetchWell(url, init)
      if (!is || ${asked}) return response
      const answer = await response.json()
      if (answer.success) spoil(answer)
      return Response.json(answer, { status: response.status, headers: response.headers })
    }`
  const hook = `data:text/javascript,${encodeURIComponent(source)}`
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', hook, WALK], (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr })
    })
  })
}

test('nothing spoiled: the walk ends well and says how far it went', async () => {
  const { code, stdout, stderr } = await walk({})

  assert.equal(code, 0, stderr)
  assert.match(stdout, /figure: contract client: \d{3} calls, \d{4,} fields read/)
})

for (const [what, spoiled, said] of [
  [
    'a field of the person is missing',
    { call: 'GET /api/user/isAuth', spoil: '({ data }) => delete data.updatedAt' },
    /updatedAt is to be a date/,
  ],
  [
    'a price is told as text',
    { call: 'GET /api/product/get_products', spoil: '({ data }) => (data[3].price = String(data[3].price))' },
    /price is to be a number/,
  ],
  [
    'a category does not say how many products it has',
    { call: 'GET /api/category/get_category_public', spoil: '({ data }) => delete data[0].totalproducts' },
    /totalproducts is to be a count/,
  ],
  [
    'a cart is taken and not kept',
    { call: 'POST /api/cart/update_cart', asked: true, spoil: '() => ({ cartItems: {} })' },
    /keeps a cart/,
  ],
  [
    'an online order has no page to pay at',
    { call: 'POST /api/order/place_order_online', spoil: '({ data }) => delete data.payment_url' },
    /payment_url is to be a text/,
  ],
  [
    'a payment tells another amount',
    { call: 'POST /api/order/verify_khalti_payment', spoil: '({ data }) => (data.amount *= 100)' },
    /orders online/,
  ],
  [
    'the seller’s login says nothing',
    { call: 'POST /api/seller/login', spoil: '(answer) => delete answer.message' },
    /message is to be a text/,
  ],
  [
    'a status is accepted and another set',
    {
      call: 'PUT /api/order/update_order_status',
      asked: true,
      spoil: "(wish) => ({ ...wish, status: 'Order Confirmed' })",
    },
    /sets any status/,
  ],
]) {
  test(`${what}: the walk says so`, async () => {
    const { code, stderr } = await walk(spoiled)

    assert.equal(code, 1, stderr)
    assert.match(stderr, said)
  })
}
