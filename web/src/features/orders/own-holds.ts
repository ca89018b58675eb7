import { fetchMyNewest, type Order } from '@/features/orders/api'

/** Product id to how many of it are set aside. */
export type Holds = ReadonlyMap<string, number>

/** The server lets nobody leave more than a few unpaid, and those are the last things they did. */
const RECENT_ORDERS = 5

/** Awaits its payment and nothing else has happened to it. An unpaid one that the shop has confirmed keeps its goods. */
const REPLACEABLE_STATUS = 'Payment Pending'

/** What a new order of the same shopper can have, because it takes the place of the one that holds it. */
export function holdsOf(orders: Order[]): Holds {
  const holds = new Map<string, number>()
  const items = orders.flatMap((order) => (order.status === REPLACEABLE_STATUS ? order.items : []))
  for (const { _id, quantity } of items) holds.set(_id, (holds.get(_id) ?? 0) + quantity)
  return holds
}

export const fetchHolds = async () => holdsOf((await fetchMyNewest(RECENT_ORDERS)).data)
