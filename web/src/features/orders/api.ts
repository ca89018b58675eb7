// What was bought: checkout, the shopper's orders, live news of them, and the desk's orders, cases, money and overview (seller-*). Asks /api/order.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { PERSON } from '@/features/accounts/person'
import type { ServerQuote } from '@/features/cart/api'

export type Order = Schemas['Order']
export type OrderItem = Schemas['OrderItem']
export type OrderBody = Schemas['PlaceOrderRequest']
/** A wallet's page to go to, when one pays online. */
export type Receipt = Schemas['Receipt'] & Partial<Schemas['PaymentRedirect']>

/** What a refused order says beside its code. */
export type OrderRefused = {
  products?: { _id: string; name: string; nameNe?: string | null; available: number }[]
  quote?: ServerQuote
}

type Page = Schemas['OrderList']

const MINE_PAGE = 20

/** Part of a list: what was searched for, from where on. */
export type OrderQuery = { search?: string; cursor?: string }

const mine = async (query: OrderQuery & { limit?: number }, signal?: AbortSignal) =>
  unwrap(
    await api.GET('/api/order/get_order', {
      params: { query: { limit: MINE_PAGE, ...query } },
      ...(signal ? { signal } : {}),
    }),
  )

/** Asked for outside the list: quietly, to see whether anything has changed. */
export const myNewest = (limit = MINE_PAGE) => mine({ limit })

const MESSAGES = { failed: 'orders.failed', error: 'orders.error' } as const
export const PAGING = {
  initialPageParam: '',
  getNextPageParam: (last: Page) => last.nextCursor || undefined,
  meta: MESSAGES,
}

export const MINE = [PERSON, 'orders']

export const myOrders = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...MINE, search],
    queryFn: ({ pageParam, signal }) => mine({ search, cursor: pageParam }, signal),
    ...PAGING,
  })
