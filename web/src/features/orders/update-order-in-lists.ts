import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '@/api/query-client'
import type { Order } from '@/features/orders/api'

type Pages = InfiniteData<{ data: Order[] }>

/** Updates the order in every list that shows it. */
export function updateOrderInLists(lists: readonly string[], order: Order) {
  queryClient.setQueriesData<Pages>(
    { queryKey: lists },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({
          ...page,
          data: page.data.map((each) => (each._id === order._id ? order : each)),
        })),
      },
  )
}
