// Packing: what was packed of an order, the shop's question about it, and the packer's screen (seller/). Calls
// /api/packing.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { USER_KEY } from '@/features/accounts/sign-in-out'
import { MY_ORDERS_KEY } from '@/features/orders/api'

export type Packing = Schemas['PackingResponse']
export type PackingQuestion = Schemas['QuestionResponse']

const KEY = [USER_KEY, 'packing']

/** What was packed of the shopper's own order, and what the shop asks. */
export const orderPacking = (order: string) =>
  queryOptions({
    queryKey: [...KEY, order],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/packing/get_packing/{order}', { params: { path: { order } }, signal })),
    staleTime: 0,
  })

export async function answerQuestion(orderId: string, questionId: string, accepted: boolean) {
  await unwrapData(api.POST('/api/packing/answer_question', { body: { orderId, questionId, accepted } }))
  await queryClient.invalidateQueries({ queryKey: KEY })
  await queryClient.invalidateQueries({ queryKey: MY_ORDERS_KEY })
}
