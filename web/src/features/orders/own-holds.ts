import { fetchMyNewest, type Order } from '@/features/orders/api'

/** Product id to the quantity on hold. */
export type Holds = ReadonlyMap<string, number>

/** The server allows only a few unpaid orders per shopper, and they are the most recent ones. */
const RECENT_ORDERS = 5

/**
 * Only an order that still awaits its payment can be replaced. An unpaid order that the shop has confirmed keeps its
 * stock.
 */
const REPLACEABLE_STATUS = 'Payment Pending'

/** The stock that a new order of the same shopper can use, because it replaces the unpaid order that holds it. */
export function holdsOf(orders: Order[]): Holds {
  const holds = new Map<string, number>()
  const items = orders.flatMap((order) => (order.status === REPLACEABLE_STATUS ? order.items : []))
  for (const { _id, quantity } of items) holds.set(_id, (holds.get(_id) ?? 0) + quantity)
  return holds
}

export const fetchHolds = async () => holdsOf((await fetchMyNewest(RECENT_ORDERS)).data)
