import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { PERSON } from '@/features/accounts/person'
import type { ServerQuote } from '@/features/cart/api'

/** How the contract calls cash on delivery. */
export const CASH = 'COD'

export type Order = Schemas['Order']
export type OrderItem = Schemas['OrderItem']
export type OrderBody = Schemas['Wish']
/** A wallet's page to go to, when one pays online. */
export type Receipt = Schemas['Receipt'] & { payment_url?: string }

/** What a refused order says beside its code. */
export type OrderRefused = {
  products?: { _id: string; name: string; nameNe?: string | null; available: number }[]
  quote?: ServerQuote
}

type Page = Schemas['OrderList']

const MINE_PAGE = 20

type Query = { search?: string; cursor?: string }

const mine = async (query: Query, signal?: AbortSignal) =>
  unwrap(
    await api.GET('/api/order/get_order', {
      params: { query: { ...query, limit: MINE_PAGE } },
      ...(signal ? { signal } : {}),
    }),
  )
const all = async (query: Query & { unpaid?: boolean }, signal?: AbortSignal) =>
  unwrap(await api.GET('/api/order/get_orders', { params: { query }, ...(signal ? { signal } : {}) }))

/** The newest, asked for outside the lists: quietly, to see whether anything has changed. */
export const newestOrders = {
  mine: () => mine({}),
  all: () => all({}),
}

const MESSAGES = { failed: 'orders.failed', error: 'orders.error' } as const
const PAGING = {
  initialPageParam: '',
  getNextPageParam: (last: Page) => last.nextCursor || undefined,
  meta: MESSAGES,
}

export const MINE = [PERSON, 'orders']
/** Dropped when the seller signs out. */
export const ALL = ['seller', 'orders']

export const orderQueries = {
  mine: (search: string) =>
    infiniteQueryOptions({
      queryKey: [...MINE, search],
      queryFn: ({ pageParam, signal }) => mine({ search, cursor: pageParam }, signal),
      ...PAGING,
    }),
  all: (search: string, unpaid: boolean) =>
    infiniteQueryOptions({
      queryKey: [...ALL, search, unpaid ? 'unpaid' : ''],
      queryFn: ({ pageParam, signal }) =>
        all({ search, cursor: pageParam, ...(unpaid ? { unpaid } : {}) }, signal),
      ...PAGING,
    }),
}
