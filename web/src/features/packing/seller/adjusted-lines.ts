import { queryClient } from '@/api/query-client'
import type { Order } from '@/features/orders/api'
import type { AdjustedLines } from '@/features/orders/seller/packing-slips'
import { orderToPack } from '@/features/packing/seller/order-to-pack'

/** What was packed differently, for the packing slips. An order that cannot be loaded is printed as ordered. */
export async function loadAdjustedLines(orders: Order[]): Promise<AdjustedLines> {
  const packed = orders.filter(({ amountDue }) => amountDue !== undefined)
  const loaded = await Promise.allSettled(packed.map(({ _id }) => queryClient.fetchQuery(orderToPack(_id))))
  return Object.fromEntries(
    loaded.flatMap((each) =>
      each.status === 'fulfilled' ? [[each.value._id, each.value.packing?.adjustments ?? []]] : [],
    ),
  )
}
