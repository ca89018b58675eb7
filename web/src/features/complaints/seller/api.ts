import { queryOptions } from '@tanstack/react-query'
import { api, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import type { Complaint } from '@/features/complaints/api'
import { COMPLAINTS_KEY, fetchComplaints } from '@/features/complaints/seller/open-complaints'

const META = { failed: 'seller.complaints.loadFailed', error: 'seller.complaints.loadFailed' } as const
const MAX_LISTED = 100

/** Open complaints, the most urgent first, or the last decided ones. */
export const sellerComplaints = (closed: boolean) =>
  queryOptions({
    queryKey: [...COMPLAINTS_KEY, 'list', closed],
    queryFn: async ({ signal }) => (await fetchComplaints({ closed, limit: MAX_LISTED }, signal)).data,
    staleTime: 0,
    meta: META,
  })

export const sellerComplaint = (id: string) =>
  queryOptions({
    queryKey: [...COMPLAINTS_KEY, id],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/complaint/get_seller_complaint/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
    meta: META,
  })

async function put(changed: Complaint) {
  queryClient.setQueryData(sellerComplaint(changed._id).queryKey, changed)
  await queryClient.invalidateQueries({ queryKey: COMPLAINTS_KEY })
}

export const complaintsApi = {
  answer: async (_id: string, text: string) =>
    put(await unwrapData(api.POST('/api/complaint/answer', { body: { _id, text } }))),
  decide: async (_id: string, outcome: string, text: string) =>
    put(await unwrapData(api.POST('/api/complaint/decide', { body: { _id, outcome, text } }))),
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The days until the deadline, rounded up; 0 on the last day, and negative once it has passed. */
export function daysLeft(dueAt: string, now = Date.now()): number {
  const days = (Date.parse(dueAt) - now) / DAY_MS
  return days < 1 ? Math.floor(days) : Math.ceil(days)
}
