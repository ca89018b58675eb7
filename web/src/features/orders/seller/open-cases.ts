import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

/** The key of every query about cases; dropped when the seller signs out. */
export const CASES_KEY = ['seller', 'cases']

type Query = { cursor?: string; limit?: number; closed?: boolean }

export const fetchCases = async (query: Query, signal?: AbortSignal) =>
  unwrap(await api.GET('/api/order/get_cases', { params: { query }, ...(signal ? { signal } : {}) }))

/** A case may open without a change of its order, and then no event is sent. */
export const POLL_MS = 30_000

/** The number of open cases for the badge, which shows nothing when the request fails. */
export const openCases = queryOptions({
  queryKey: [...CASES_KEY, 'count'],
  queryFn: async ({ signal }) => (await fetchCases({ limit: 1 }, signal)).open,
  refetchInterval: POLL_MS,
})
