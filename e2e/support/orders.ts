import { randomUUID } from 'node:crypto'
import type { Goods } from './database.ts'
import { HOME_ADDRESS, type Visitor } from './people.ts'

export type Order = {
  userId: { address: string }
  _id: string
  orderId: string
  date: string
  status: string
  paymentMethod: string
  paymentState: string
  total: number
  trackingNumber: string
  deliveryDate: string
  items: { _id: string; name: string; price: number; quantity: number }[]
  timeline: { _id: string; status: string; date: string }[]
  canCancel: boolean
  canPay: boolean
}

export const STATUSES = [
  'Order Placed',
  'Order Confirmed',
  'Order Shipped',
  'Out for Delivery',
  'Delivered',
  'Cancelled',
] as const
export type Status = (typeof STATUSES)[number]

export const PLACE = '/api/order/place_order_COD'
export const PLACE_ONLINE = '/api/order/place_order_online'
export const VERIFY = '/api/order/verify_khalti_payment'
export const MINE = '/api/order/get_order'
export const ALL = '/api/order/get_orders'
export const SET_STATUS = '/api/order/update_order_status'
export const GET_CART = '/api/cart/get_cart'
export const SAVE_CART = '/api/cart/update_cart'

/** The figures by the specification for these products, in paisa, computed independently of the shop. */
export function bill(lines: [Pick<Goods, 'paisa'>, number][]) {
  const subtotal = lines.reduce((sum, [{ paisa }, quantity]) => sum + paisa * quantity, 0)
  const tax = Math.floor((subtotal * 13 + 50) / 100)
  const shipping = subtotal > 1000_00 ? 0 : 20_00
  return { subtotal, shipping, tax, total: subtotal + tax + shipping }
}

/** The format of the cart and the orders: always two decimals. */
export const rupees = (paisa: number) => `Rs. ${(paisa / 100).toFixed(2)}`

export async function addHome(session: Visitor) {
  await session.must('POST', '/api/address/add_address', HOME_ADDRESS)
}

export async function fillCart(session: Visitor, lines: [Goods, number][]) {
  const cartItems = Object.fromEntries(lines.map(([{ id }, quantity]) => [id, quantity]))
  await session.must('POST', SAVE_CART, { cartItems })
}

export function orderBody(lines: [Goods, number][], paymentMethod: 'COD' | 'Khalti') {
  const { tax, shipping, total } = bill(lines)
  return {
    items: lines.map(([{ id }, quantity]) => ({ id, quantity })),
    address: 'Baneshwor-10, Kathmandu',
    totalAmount: total / 100,
    shippingFee: shipping / 100,
    tax: tax / 100,
    paymentMethod,
    name: 'Ram Bahadur',
    email: 'ram@example.com',
    phone: '9841234567',
  }
}

/** Places an order without a browser, to an address of the address book if one is named. */
export async function order(session: Visitor, lines: [Goods, number][], addressId?: string): Promise<Order> {
  const body = { ...orderBody(lines, 'COD'), ...(addressId ? { addressId } : {}) }
  const answer = await session.call<{ _id: string }>('POST', PLACE, body, { 'idempotency-key': randomUUID() })
  if (!answer.body.success)
    throw new Error(`the order was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  const placed = (await ordersOf(session)).find(({ _id }) => _id === answer.body.data._id)
  if (!placed) throw new Error(`order ${answer.body.data._id} is not in the list`)
  return placed
}

export async function ordersOf(session: Visitor, search = ''): Promise<Order[]> {
  return session.must('GET', `${MINE}?${new URLSearchParams({ search })}`)
}

export async function setStatus(seller: Visitor, { _id }: Pick<Order, '_id'>, status: Status, at?: string) {
  const answer = await seller.call('PUT', SET_STATUS, { orderId: _id, status }, {}, at)
  if (!answer.body.success) throw new Error(`the status was refused: ${JSON.stringify(answer.body)}`)
}

/** The URLs of both instances of the shop, if there are two: a change at one must show at the other. */
export function instanceUrls(): [string, string] {
  const { SHOP_URL = '', SERVER_0_URL = SHOP_URL, SERVER_1_URL = SERVER_0_URL } = process.env
  return [SERVER_0_URL, SERVER_1_URL]
}
