/**
 * A client of the shop that knows nothing but the specification's tables: paths, payloads and the fields that are read.
 * It walks through every call as a visitor, a shopper and a seller against a running shop, looks at what each call changed
 * through the other calls, and ends with an error at the first difference.
 *
 *   set -a; . <(scripts/stack env); set +a; node tools/contract/walk.mjs
 *
 * Wants SHOP_URL, SELLER_EMAIL, SELLER_PASSWORD, KHALTI_URL and OPENID_ISSUER, as `scripts/stack up` prints them.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { Browser, eventually, form, read, tally } from './client.mjs'

const { SHOP_URL, SELLER_EMAIL, SELLER_PASSWORD, KHALTI_URL, OPENID_ISSUER } = process.env
assert.ok(
  SHOP_URL && SELLER_EMAIL && SELLER_PASSWORD && KHALTI_URL && OPENID_ISSUER,
  'the lines of scripts/stack up are to be in the environment',
)

/** Every row of the three tables. */
const ROWS = [
  'GET /api/user/isAuth',
  'GET /api/seller/checkSeller',
  'GET /api/product/get_products',
  'GET /api/category/get_category_public',
  'GET /api/cart/get_cart',
  'POST /api/cart/update_cart',
  'GET /api/user/logout',
  'POST /api/subscriber/add_subscriber',
  'GET /api/order/get_order',
  'POST /api/order/place_order_COD',
  'POST /api/order/place_order_online',
  'POST /api/order/verify_khalti_payment',
  'POST /api/user/googleLogin',
  'POST /api/user/register',
  'POST /api/user/login',
  'PUT /api/user/updateProfile',
  'POST /api/address/add_address',
  'POST /api/seller/login',
  'GET /api/seller/logout',
  'POST /api/product/add_product',
  'PUT /api/product/update_product/{slug}',
  'DELETE /api/product/delete_product/{slug}',
  'GET /api/order/get_orders',
  'PUT /api/order/update_order_status',
  'GET /api/category/get_categories',
  'POST /api/category/add_category',
  'PUT /api/category/update_category/{slug}',
  'DELETE /api/category/delete_category/{slug}',
]

const USER = {
  _id: 'text',
  name: 'text',
  email: 'text',
  image: 'picture',
  phone: 'string',
  address: 'string',
  createdAt: 'date',
  updatedAt: 'date',
}
const PRODUCT = {
  _id: 'text',
  name: 'text',
  description: 'string',
  category: 'text',
  price: 'number',
  image: 'picture',
  tags: 'list',
  rating: 'number',
  reviews: 'count',
  stock: 'count',
  slug: 'text',
}
const CATEGORY = {
  _id: 'text',
  name: 'text',
  slug: 'text',
  description: 'string',
  image: 'picture',
  icon: 'picture',
  totalproducts: 'count',
}
const ORDER = {
  _id: 'text',
  orderId: 'text',
  date: 'date',
  status: 'text',
  paymentMethod: 'text',
  total: 'number',
  trackingNumber: 'text',
  deliveryDate: 'date',
  userId: 'map',
  items: 'list',
  timeline: 'list',
}

const visitor = new Browser(SHOP_URL)
const shopper = new Browser(SHOP_URL)
const seller = new Browser(SHOP_URL)
/** Values that one step stores for a later one. */
const known = {}
const mark = randomUUID().slice(0, 8)
const person = {
  name: 'Asha Rai',
  email: `contract-${mark}@example.com`,
  password: `doko-${randomUUID()}`,
  phone: '9841234567',
}

async function step(name, walk) {
  try {
    await walk()
  } catch (error) {
    process.stderr.write(`contract client: ${name}: ${error.message}\n`)
    process.exit(1)
  }
}

const products = async (browser = visitor) => {
  const { data } = await browser.ask('GET', '/api/product/get_products', { reads: { data: 'list' } })
  for (const product of data) read(product, PRODUCT, `the product ${product?.name}`)
  return data
}
const categories = async () => {
  const { data } = await visitor.ask('GET', '/api/category/get_category_public', { reads: { data: 'list' } })
  for (const category of data) read(category, CATEGORY, `the category ${category?.name}`)
  return data
}
const stockOf = async (id) => (await products()).find(({ _id }) => _id === id)?.stock
const whoAmI = async (browser) =>
  read(
    (await browser.ask('GET', '/api/user/isAuth', { reads: { data: 'map' } })).data,
    USER,
    'the person of isAuth',
  )
const cart = async () => (await shopper.ask('GET', '/api/cart/get_cart', { reads: { data: 'map' } })).data
function readOrder(order) {
  read(order, ORDER, `the order ${order?.orderId}`)
  read(order.userId, { name: 'text', email: 'text', address: 'text' }, 'whom an order is for')
  for (const item of order.items)
    read(item, { _id: 'text', name: 'text', image: 'picture', price: 'number', quantity: 'count' }, 'an item')
  for (const entry of order.timeline)
    read(entry, { _id: 'text', status: 'text', date: 'date' }, 'an entry of a timeline')
  return order
}
const ordersOf = async (browser, row) =>
  (await browser.ask('GET', row, { reads: { data: 'list' } })).data.map(readOrder)

/** The shop's rules in whole paisa: tax is 13 % of the subtotal, shipping is 20 and free above 1000. */
function bill(lines) {
  const subtotal = lines.reduce((sum, [{ price }, quantity]) => sum + Math.round(price * 100) * quantity, 0)
  const tax = Math.floor((subtotal * 13 + 50) / 100)
  const shipping = subtotal > 100_000 ? 0 : 2_000
  return { tax: tax / 100, shippingFee: shipping / 100, totalAmount: (subtotal + tax + shipping) / 100 }
}
const order = (lines, paymentMethod, { address, phone }) => ({
  items: lines.map(([{ _id }, quantity]) => ({ id: _id, quantity })),
  address,
  ...bill(lines),
  paymentMethod,
  name: person.name,
  email: person.email,
  phone,
})

// spec: 7.load.1, 7.load.2, 6.rules.1
await step('a visitor is signed out, and may do nothing of a shopper’s or a seller’s', async () => {
  await visitor.refused('GET', '/api/user/isAuth', 401)
  await visitor.refused('GET', '/api/seller/checkSeller', 401)
  await visitor.refused('GET', '/api/cart/get_cart', 401)
  await visitor.refused('POST', '/api/cart/update_cart', 401, { payload: { cartItems: {} } })
  await visitor.refused('GET', '/api/order/get_order', 401)
  await visitor.refused('GET', '/api/order/get_orders', 401)
  await visitor.refused('GET', '/api/category/get_categories', 401)
  await visitor.refused('DELETE', '/api/product/delete_product/{slug}', 401, { slug: 'rice' })
  await visitor.refused('DELETE', '/api/category/delete_category/{slug}', 401, { slug: 'rice' })
})

// spec: 3.product.1, 3.category.1, 7.load.3, 7.load.4
await step('a visitor reads products and categories', async () => {
  const all = await products()
  const names = new Set((await categories()).map(({ name }) => name))
  assert.ok(all.length > 6, 'there are products')
  for (const { category, name } of all)
    assert.ok(names.has(category), `${name} is in a category that there is`)
  known.goods = all.filter((each) => each.image && each.stock >= 5 && each.price <= 300).slice(0, 2)
  assert.equal(known.goods.length, 2, 'there are two things to buy')
})

// spec: 7.shopper.4
await step('a visitor subscribes, once', async () => {
  const payload = { email: `reader-${mark}@example.com` }
  await visitor.ask('POST', '/api/subscriber/add_subscriber', { payload })
  await visitor.refused('POST', '/api/subscriber/add_subscriber', 409, { payload })
  await visitor.refused('POST', '/api/subscriber/add_subscriber', 422, { payload: { email: 'no address' } })
})

// spec: 3.user.1, 7.load.1, 7.shopper.10, 7.shopper.11
await step('somebody registers with a photo and is signed in', async () => {
  const payload = form({ ...person, image: picture(200, 40, 40) })
  const reads = { message: 'text', data: 'map' }
  const { data } = await shopper.ask('POST', '/api/user/register', { payload, reads })
  read(data, USER, 'who has registered')
  const me = await whoAmI(shopper)
  assert.deepEqual([me._id, me.name, me.email, me.phone], [data._id, person.name, person.email, person.phone])
  assert.equal((await shopper.go(me.image)).status, 200, 'the photo can be seen')
  await visitor.refused('POST', '/api/user/register', 409, { payload: form(person) })
})

// spec: 7.shopper.3, 7.shopper.12
await step('logs out and in again, and not with a wrong password', async () => {
  await shopper.ask('GET', '/api/user/logout')
  await shopper.refused('GET', '/api/user/isAuth', 401)
  const { email, password } = person
  await shopper.refused('POST', '/api/user/login', 401, { payload: { email, password: 'not this one' } })
  await shopper.refused('GET', '/api/user/isAuth', 401)
  const reads = { message: 'text', data: 'map' }
  const { data } = await shopper.ask('POST', '/api/user/login', { payload: { email, password }, reads })
  read(data, USER, 'who has logged in')
  assert.equal((await whoAmI(shopper))._id, data._id)
})

// spec: 3.cart.1, 7.shopper.1, 7.shopper.2
await step('keeps a cart', async () => {
  assert.deepEqual(await cart(), {})
  const [first, second] = known.goods
  const cartItems = { [first._id]: 2, [second._id]: 1 }
  await shopper.ask('POST', '/api/cart/update_cart', { payload: { cartItems } })
  assert.deepEqual(await cart(), cartItems)
})

// spec: 3.address.1, 7.shopper.14
await step('adds an address, all of it', async () => {
  const payload = {
    address: 'Home',
    phone: '9801234567',
    street: `Mitra Marg ${mark}`,
    city: 'Kathmandu',
    state: 'Bagmati',
    country: 'Nepal',
    pincode: '44600',
  }
  await shopper.ask('POST', '/api/address/add_address', { payload })
  assert.match((await whoAmI(shopper)).address, new RegExp(payload.street))
  for (const name of Object.keys(payload))
    await shopper.refused('POST', '/api/address/add_address', 422, { payload: { ...payload, [name]: '' } })
})

// spec: 7.shopper.13
await step('changes the profile', async () => {
  const before = await whoAmI(shopper)
  const { email } = person
  const changed = { name: 'Asha Rai Sharma', email, phone: '9812345678', address: `Boudha 6, ${mark}` }
  const payload = form({ ...changed, image: picture(40, 40, 200) })
  await shopper.ask('PUT', '/api/user/updateProfile', { payload })
  const after = await whoAmI(shopper)
  for (const [name, value] of Object.entries(changed)) assert.equal(after[name], value)
  assert.notEqual(after.image, before.image, 'the photo is another')
  assert.ok(Date.parse(after.updatedAt) > Date.parse(before.updatedAt), 'and when it was changed is told')
  known.me = after
})

// spec: 3.order.1, 3.order.2, 3.order.3, 3.order.4, 4.cart.11, 7.shopper.5, 7.shopper.6, 9.const.2, 9.const.4, 9.const.5
await step('orders on delivery: the cart is empty, the order is there', async () => {
  const [first, second] = known.goods
  const lines = [
    [first, 2],
    [second, 1],
  ]
  const payload = order(lines, 'COD', known.me)
  await visitor.refused('POST', '/api/order/place_order_COD', 401, { payload })
  known.stock = await stockOf(first._id)
  await shopper.ask('POST', '/api/order/place_order_COD', { payload })
  assert.deepEqual(await cart(), {})
  const [placed, ...others] = await ordersOf(shopper, '/api/order/get_order')
  assert.equal(others.length, 0)
  assert.deepEqual([placed.paymentMethod, placed.total], ['COD', payload.totalAmount])
  assert.deepEqual(
    placed.items.map(({ _id, name, price, quantity }) => [_id, name, price, quantity]),
    lines.map(([{ _id, name, price }, quantity]) => [_id, name, price, quantity]),
  )
  assert.deepEqual(
    [placed.userId.name, placed.userId.email, placed.userId.address],
    [person.name, person.email, known.me.address],
  )
  for (const item of placed.items) read(item, { image: 'text' }, 'an item with a picture')
  assert.equal(placed.timeline.length, 1)
  known.onDelivery = placed
  const many = order([[first, 99_999]], 'COD', known.me)
  await shopper.refused('POST', '/api/order/place_order_COD', 422, { payload: many })
})

// spec: 2.cart.7
await step("the shop's own app, which orders by the address book, delivers to the same place", async () => {
  const book = await (await shopper.go('/api/address/get_addresses')).json()
  const entry = book.data.find(({ isDefault }) => isDefault)
  assert.equal(entry?.line, known.me.address, 'the default entry is the line of the profile')
  const payload = { ...order([[known.goods[1], 1]], 'COD', known.me), addressId: entry._id }
  await shopper.ask('POST', '/api/order/place_order_COD', { payload })
  const [newest] = await ordersOf(shopper, '/api/order/get_order')
  assert.notEqual(newest._id, known.onDelivery._id)
  assert.equal(newest.userId.address, known.onDelivery.userId.address)
})

// spec: 3.payment.1, 4.cart.12, 7.shopper.7, 7.shopper.8
await step('orders online, pays at the wallet, and the payment is verified', async () => {
  const [first] = known.goods
  await shopper.ask('POST', '/api/cart/update_cart', { payload: { cartItems: { [first._id]: 1 } } })
  const payload = order([[first, 1]], 'Khalti', known.me)
  const placed = await shopper.ask('POST', '/api/order/place_order_online', {
    payload,
    reads: { data: 'map' },
  })
  read(placed.data, { payment_url: 'text' }, 'the online order')
  const page = await visitor.go(placed.data.payment_url)
  assert.equal(page.status, 200, 'the payment page is there')
  const paid = await payAt(placed.data.payment_url)
  const reads = { message: 'text', data: 'map' }
  const { data } = await shopper.ask('POST', '/api/order/verify_khalti_payment', { payload: paid, reads })
  read(
    data,
    { orderId: 'text', trackingNumber: 'text', paymentMethod: 'text', amount: 'number' },
    'the payment',
  )
  assert.equal(data.amount, payload.totalAmount)
  const paidOrder = (await ordersOf(shopper, '/api/order/get_order')).find(
    ({ orderId }) => orderId === data.orderId,
  )
  assert.deepEqual(
    [paidOrder?.total, paidOrder?.trackingNumber, paidOrder?.paymentMethod],
    [data.amount, data.trackingNumber, data.paymentMethod],
  )
  assert.deepEqual(await cart(), {})
  const unknown = { ...paid, pidx: 'never-made' }
  await shopper.refused('POST', '/api/order/verify_khalti_payment', 404, { payload: unknown })
  known.online = paidOrder
})

// spec: 7.shopper.9
await step('signs in through the identity provider, and nobody does so without it', async () => {
  const browser = new Browser(SHOP_URL)
  const payload = {
    email: `provider-${mark}@example.com`,
    name: 'Maya Gurung',
    image: '',
    phone: '9841111111',
  }
  await browser.refused('POST', '/api/user/googleLogin', 401, { payload })
  await signInAtProvider(browser, payload)
  const reads = { message: 'text', data: 'map' }
  const { data } = await browser.ask('POST', '/api/user/googleLogin', { payload, reads })
  read(data, USER, 'who came from the provider')
  assert.deepEqual([data.email, data.name], [payload.email, payload.name])
  assert.equal((await whoAmI(browser))._id, data._id)
  await browser.ask('GET', '/api/user/logout')
})

// spec: 6.seller.1, 7.load.2, 7.seller.1
await step('a seller logs in, and not with a wrong password', async () => {
  const payload = { email: SELLER_EMAIL, password: SELLER_PASSWORD }
  await seller.refused('POST', '/api/seller/login', 401, {
    payload: { ...payload, password: 'not this one' },
  })
  await seller.refused('GET', '/api/seller/checkSeller', 401)
  await shopper.refused('GET', '/api/seller/checkSeller', 401)
  await seller.ask('POST', '/api/seller/login', { payload, reads: { message: 'text' } })
  await seller.ask('GET', '/api/seller/checkSeller')
  await seller.refused('GET', '/api/user/isAuth', 401)
})

// spec: 4.status.4, 7.seller.7, 7.seller.8
await step(
  'the seller sees all orders and sets any status at any time, and the shopper sees it',
  async () => {
    const all = await ordersOf(seller, '/api/order/get_orders')
    for (const { _id } of [known.onDelivery, known.online])
      assert.ok(
        all.some((each) => each._id === _id),
        'both orders are among them',
      )
    const { _id } = known.onDelivery
    const mine = async () =>
      (await ordersOf(shopper, '/api/order/get_order')).find((each) => each._id === _id)
    const statuses = [
      'Delivered',
      'Order Placed',
      'Out for Delivery',
      'Order Confirmed',
      'Cancelled',
      'Order Shipped',
    ]
    for (const [n, status] of statuses.entries()) {
      await seller.ask('PUT', '/api/order/update_order_status', { payload: { orderId: _id, status } })
      const { status: seen, timeline } = await mine()
      assert.deepEqual([seen, timeline.length], [status, n + 2])
    }
    const payload = { orderId: _id, status: 'Delivered' }
    await shopper.refused('PUT', '/api/order/update_order_status', 401, { payload })
    const nobodys = { ...payload, orderId: randomUUID() }
    await seller.refused('PUT', '/api/order/update_order_status', 404, { payload: nobodys })
  },
)

// spec: 7.seller.9, 7.seller.10, 7.seller.11
await step('the seller adds and changes a category', async () => {
  const fields = { name: `Hills ${mark}`, description: 'What the hills give.' }
  const pictures = { image: picture(60, 140, 60), icon: picture(90, 60, 30) }
  for (const gap of [
    { ...fields, ...pictures, name: '' },
    { ...fields, icon: pictures.icon },
  ])
    await seller.refused('POST', '/api/category/add_category', 422, { payload: form(gap) })
  await seller.ask('POST', '/api/category/add_category', { payload: form({ ...fields, ...pictures }) })
  const { data } = await seller.ask('GET', '/api/category/get_categories', { reads: { data: 'list' } })
  for (const category of data) read(category, CATEGORY, 'a category of the seller’s')
  known.category = data.find(({ name }) => name === fields.name)
  assert.ok(known.category, 'it is among the seller’s')
  const { slug } = known.category
  const inShop = async () => (await categories()).find((category) => category.slug === slug)
  const made = await eventually(async () => (await inShop()) ?? assert.fail('it is not in the shop'))
  assert.deepEqual([made.name, made.description, made.totalproducts], [fields.name, fields.description, 0])
  for (const address of [made.image, made.icon]) assert.equal((await visitor.go(address)).status, 200)
  const payload = form({ description: 'What the high hills give.' })
  await seller.ask('PUT', '/api/category/update_category/{slug}', { payload, slug })
  await eventually(async () => {
    const { name, description } = await inShop()
    assert.deepEqual([name, description], [fields.name, 'What the high hills give.'])
  })
  const refusal = { payload: form({ description: 'x' }), slug: 'no-such-category' }
  await seller.refused('PUT', '/api/category/update_category/{slug}', 404, refusal)
})

// spec: 3.product.4, 7.seller.3, 7.seller.4, 7.seller.5
await step('the seller adds and changes a product', async () => {
  const { category } = known
  const fields = {
    name: `Crate ${mark}`,
    description: 'From the hills.',
    category: category.name,
    price: '245.5',
  }
  const more = { rating: '4.6', reviews: '7', tags: 'fresh, local', stock: '42' }
  await seller.refused('POST', '/api/product/add_product', 422, { payload: form({ ...fields, price: '' }) })
  await seller.refused('POST', '/api/product/add_product', 422, {
    payload: form({ ...fields, rating: '5.1' }),
  })
  const payload = form({ ...fields, ...more, image: picture(200, 160, 40) })
  await seller.ask('POST', '/api/product/add_product', { payload })
  const inShop = async () =>
    (await products()).find(({ name }) => name === fields.name) ?? assert.fail('it is not in the shop')
  const made = await eventually(inShop)
  assert.partialDeepStrictEqual(made, {
    description: fields.description,
    category: category.name,
    price: 245.5,
    rating: 4.6,
    reviews: 7,
    tags: ['fresh', 'local'],
    stock: 42,
  })
  assert.equal((await visitor.go(made.image)).status, 200)
  const counted = async () => (await categories()).find(({ slug }) => slug === category.slug)?.totalproducts
  await eventually(async () => assert.equal(await counted(), 1))
  const { slug } = made
  const changed = form({ ...fields, ...more, price: '250', rating: '0', tags: 'fresh', stock: '40' })
  await seller.ask('PUT', '/api/product/update_product/{slug}', { payload: changed, slug })
  await eventually(async () =>
    assert.partialDeepStrictEqual(await inShop(), {
      price: 250,
      rating: 0,
      tags: ['fresh'],
      stock: 40,
      slug,
    }),
  )
  const refusal = { payload: form(fields), slug: 'no-such-product' }
  await seller.refused('PUT', '/api/product/update_product/{slug}', 404, refusal)
  known.product = made
})

// Lists may show a stock that is a few seconds old; a change of the catalogue refreshes them.
await step('what was bought on delivery and online has left the shelf', async () => {
  const [first] = known.goods
  // Other shoppers may buy the same product.
  await eventually(async () => assert.ok((await stockOf(first._id)) <= known.stock - 3))
})

// spec: 7.seller.6, 7.seller.12
await step('the seller deletes the product, then its category', async () => {
  const { product, category } = known
  await seller.refused('DELETE', '/api/category/delete_category/{slug}', 409, { slug: category.slug })
  await seller.ask('DELETE', '/api/product/delete_product/{slug}', { slug: product.slug })
  await eventually(async () => assert.ok(!(await products()).some(({ _id }) => _id === product._id)))
  await seller.refused('DELETE', '/api/product/delete_product/{slug}', 404, { slug: product.slug })
  await seller.ask('DELETE', '/api/category/delete_category/{slug}', { slug: category.slug })
  await eventually(async () => assert.ok(!(await categories()).some(({ _id }) => _id === category._id)))
  await seller.refused('DELETE', '/api/category/delete_category/{slug}', 404, { slug: category.slug })
})

// spec: 4.session.9, 7.seller.2
await step('the seller logs out, and is one no more', async () => {
  await seller.ask('GET', '/api/seller/logout', { reads: { message: 'text' } })
  await seller.refused('GET', '/api/seller/checkSeller', 401)
  await seller.refused('GET', '/api/order/get_orders', 401)
  await shopper.ask('GET', '/api/user/logout')
  await shopper.refused('GET', '/api/order/get_order', 401)
})

await step('no row of the tables was left out', async () => {
  assert.deepEqual(
    ROWS.filter((row) => !tally.rows.has(row)),
    [],
  )
  assert.deepEqual(
    [...tally.rows].filter((row) => !ROWS.includes(row)),
    [],
  )
})
process.stdout.write(
  `figure: contract client: ${tally.calls} calls, ${tally.fields} fields read, all as the tables say\n`,
)

/** Pays like the payer, on the wallet's page; returns the parameters that the wallet adds to the return URL. */
async function payAt(paymentUrl) {
  const pidx = new URL(paymentUrl).searchParams.get('pidx')
  const response = await fetch(`${KHALTI_URL}/payments/${pidx}/pay`, { method: 'POST', body: '{}' })
  const { back } = await response.json()
  const { searchParams, pathname } = new URL(back)
  assert.equal(pathname, '/payment', 'the wallet leads back to the payment page')
  const names = ['pidx', 'txnId', 'purchase_order_id', 'purchase_order_name']
  return Object.fromEntries(names.map((name) => [name, searchParams.get(name) ?? assert.fail(`no ${name}`)]))
}

/** Follows the redirects from the shop's button through the provider's form and back. */
async function signInAtProvider(browser, { email, name }) {
  let next = new URL('/api/user/google/start?return=/', SHOP_URL).href
  let left = 10
  while (!(next.startsWith(SHOP_URL) && new URL(next).pathname === '/')) {
    assert.ok(left-- > 0, `the way through the provider does not end: ${next}`)
    const isForm = next.startsWith(`${OPENID_ISSUER}/interaction/`)
    const body = new URLSearchParams({
      action: 'login',
      email,
      name,
      sub: randomUUID(),
      email_verified: 'on',
    })
    const answer = await browser.go(next, isForm ? { method: 'POST', body } : {})
    const location = answer.headers.get('location')
    assert.ok(location, `${next} leads nowhere: ${answer.status}`)
    next = new URL(location, next).href
  }
}

/** A small picture of one colour, as a file. */
function picture(...colour) {
  const side = 32
  const row = Buffer.concat([Buffer.from([0]), Buffer.from(Array(side).fill(colour).flat())])
  const chunk = (type, content) => {
    const body = Buffer.concat([Buffer.from(type), content])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(content.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.concat(Array(side).fill(row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return new Blob([Buffer.concat(parts)], { type: 'image/png' })
}
