// Orders: checkout, the shopper's orders and their events, and the seller's orders, cases, money and overview (seller/). Calls /api/order.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { USER_KEY } from '@/features/accounts/sign-in-out'
import type { ServerQuote } from '@/features/cart/api'

export type Order = Schemas['Order']
export type OrderItem = Schemas['OrderItem']
export type PlaceOrderRequest = Schemas['PlaceOrderRequest']
/** A wallet's page to go to, when one pays online. */
export type Receipt = Schemas['Receipt'] & Partial<Schemas['PaymentRedirect']>

/** What a refused order says beside its code. */
export type OrderRefusal = {
  products?: { _id: string; name: string; nameNe?: string | null; available: number }[]
  quote?: ServerQuote
}

type Page = Schemas['OrderList']

const MINE_PAGE = 20

/** Part of a list: what was searched for, from where on. */
export type OrderQuery = { search?: string; cursor?: string }

const fetchMine = async (query: OrderQuery & { limit?: number }, signal?: AbortSignal) =>
  unwrap(
    await api.GET('/api/order/get_order', {
      params: { query: { limit: MINE_PAGE, ...query } },
      ...(signal ? { signal } : {}),
    }),
  )

/** Asked for outside the list: quietly, to see whether anything has changed. */
export const fetchMyNewest = (limit = MINE_PAGE) => fetchMine({ limit })

const MESSAGES = { failed: 'orders.failed', error: 'orders.error' } as const
export const PAGING = {
  initialPageParam: '',
  getNextPageParam: (last: Page) => last.nextCursor || undefined,
  meta: MESSAGES,
}

export const MY_ORDERS_KEY = [USER_KEY, 'orders']

export const myOrders = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...MY_ORDERS_KEY, search],
    queryFn: ({ pageParam, signal }) => fetchMine({ search, cursor: pageParam }, signal),
    ...PAGING,
  })
