import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

/** Everything about cases lies under this key; dropped when the seller signs out. */
export const CASES_KEY = ['seller', 'cases']

type Query = { cursor?: string; limit?: number; closed?: boolean }

export const fetchCases = async (query: Query, signal?: AbortSignal) =>
  unwrap(await api.GET('/api/order/get_cases', { params: { query }, ...(signal ? { signal } : {}) }))

/** A case may open without anything happening to its order, and then no stream tells of it. */
export const POLL_MS = 30_000

/** How many wait for a person: for the badge, which says nothing when it cannot be asked. */
export const openCases = queryOptions({
  queryKey: [...CASES_KEY, 'count'],
  queryFn: async ({ signal }) => (await fetchCases({ limit: 1 }, signal)).open,
  refetchInterval: POLL_MS,
})
