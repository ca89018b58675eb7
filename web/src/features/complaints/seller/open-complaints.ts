import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

/** The key of every query about complaints; dropped when the seller signs out. */
export const COMPLAINTS_KEY = ['seller', 'complaints']
const POLL_MS = 60_000

export const fetchComplaints = async (query: { closed?: boolean; limit?: number }, signal: AbortSignal) =>
  unwrap(await api.GET('/api/complaint/get_seller_complaints', { params: { query }, signal }))

/** The number of open complaints for the badge, which shows nothing when the request fails. */
export const openComplaints = queryOptions({
  queryKey: [...COMPLAINTS_KEY, 'count'],
  queryFn: async ({ signal }) => (await fetchComplaints({ limit: 1 }, signal)).open,
  refetchInterval: POLL_MS,
})
