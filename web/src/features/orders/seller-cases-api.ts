import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { type Order, PAGING } from '@/features/orders/api'
import { putOrder } from '@/features/orders/put-order'
import { ALL } from '@/features/orders/seller-api'
import { CASES, cases, LOOK_MS } from '@/features/orders/seller-open-cases'

export type Case = Schemas['Case']
export type CasePayment = Schemas['CasePayment']
type Page = Schemas['CaseList']
/** Of all that is kept of cases, the lists. */
export const CASE_LISTS = [...CASES, 'list']

/** Asked for outside the list: quietly, to see whether anything has changed. */
export const newestCases = (closed: boolean) => cases({ closed })

export const caseList = (closed: boolean) =>
  infiniteQueryOptions({
    queryKey: [...CASE_LISTS, closed ? 'closed' : 'open'],
    queryFn: ({ pageParam, signal }) => cases({ closed, cursor: pageParam }, signal),
    ...PAGING,
    getNextPageParam: (last: Page) => last.nextCursor || undefined,
    meta: { failed: 'scase.loadFailed', error: 'scase.loadFailed' },
    refetchInterval: LOOK_MS,
  })

/** The list, the badge and the orders that show the same. */
async function casesChanged() {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: CASES }),
    queryClient.invalidateQueries({ queryKey: ALL }),
  ])
}

const put = (order: Order) => {
  putOrder(ALL, order)
  return casesChanged()
}

export const casesApi = {
  /** Asks the wallet now. */
  check: async (orderId: string) =>
    put(await dataOf(api.POST('/api/order/check_payment', { body: { orderId } }))),
  refund: async (paymentId: string) =>
    put(await dataOf(api.POST('/api/order/refund_payment', { body: { paymentId } }))),
  close: async (caseId: string) => {
    await dataOf(api.POST('/api/order/close_case', { body: { caseId } }))
    await casesChanged()
  },
}
