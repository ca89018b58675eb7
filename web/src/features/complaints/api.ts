// Complaints about orders: the form on the order, the conversation, and the seller's side (seller/). Calls
// /api/complaint.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { upload } from '@/api/upload'
import { USER_KEY } from '@/features/accounts/sign-in-out'
import { resizePhoto } from '@/features/media/resize-photo'

export type Complaint = Schemas['Complaint']
export const REASONS = ['damaged', 'missing', 'wrong', 'quality', 'late', 'other'] as const
export const REMEDIES = ['refund', 'replacement', 'answer'] as const
export type Reason = (typeof REASONS)[number]
export type Remedy = (typeof REMEDIES)[number]
export const MAX_PHOTOS = 4
export const MAX_TEXT = 2000

/** Whether the complaint is about products, and not about the order as a whole; the server has the same rule. */
export const isAboutProducts = (reason: Reason) => reason !== 'late' && reason !== 'other'

const KEY = [USER_KEY, 'complaints']

export const orderComplaints = (order: string) =>
  queryOptions({
    queryKey: [...KEY, 'of', order],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/complaint/get_complaints', { params: { query: { order } }, signal })),
  })

export const complaint = (id: string) =>
  queryOptions({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/complaint/get_complaint/{id}', { params: { path: { id } }, signal })),
    staleTime: 0,
    meta: { failed: 'complaints.loadFailed', error: 'complaints.loadFailed' },
  })

export type NewComplaint = {
  order: string
  reason: Reason
  remedy: Remedy
  text: string
  items: { product: string; quantity: number }[]
  photos: File[]
}

/** Returns the id of the new complaint. */
export async function openComplaint(
  { photos, items, ...texts }: NewComplaint,
  onProgress?: (share: number) => void,
): Promise<string> {
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.append(name, text)
  form.append('items', JSON.stringify(items))
  for (const [index, photo] of photos.entries())
    form.append(`photo${index + 1}`, await resizePhoto(photo), photo.name)
  const { _id } = await upload<{ _id: string }>('POST', '/api/complaint/open_complaint', form, onProgress)
  await queryClient.invalidateQueries({ queryKey: KEY })
  return _id
}

export async function addMessage(_id: string, text: string) {
  const changed = await unwrapData(api.POST('/api/complaint/add_message', { body: { _id, text } }))
  queryClient.setQueryData(complaint(_id).queryKey, changed)
}
