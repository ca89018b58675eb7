// Orders: checkout, the shopper's orders and their events, and the seller's orders, cases, money and overview (seller/). Calls /api/order.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { USER_KEY } from '@/features/accounts/sign-in-out'
import type { ServerQuote } from '@/features/cart/api'
import type { DeliveryOptions } from '@/features/delivery/api'

export type Order = Schemas['Order']
export type OrderItem = Schemas['OrderItem']
export type PlaceOrderRequest = Schemas['PlaceOrderRequest']
/** The receipt of an order, with the wallet's page if the order is paid online. */
export type Receipt = Schemas['Receipt'] & Partial<Schemas['PaymentRedirect']>

/** The details of a refused order, beside its code. */
export type OrderRefusal = {
  products?: { _id: string; name: string; nameNe?: string | null; available: number }[]
  quote?: ServerQuote
  /** What can be chosen at the address now. */
  delivery?: DeliveryOptions
}

type Page = Schemas['OrderList']

const MINE_PAGE = 20

/** The search text and the start of a page of the list. */
export type OrderQuery = { search?: string; cursor?: string }

const fetchMine = async (query: OrderQuery & { limit?: number }, signal?: AbortSignal) =>
  unwrap(
    await api.GET('/api/order/get_order', {
      params: { query: { limit: MINE_PAGE, ...query } },
      ...(signal ? { signal } : {}),
    }),
  )

/** Fetched outside the list, without messages, to detect changes. */
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
