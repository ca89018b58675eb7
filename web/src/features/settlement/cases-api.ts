import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { type Order, PAGING } from '@/features/orders/api'
import { CASES_KEY, fetchCases, POLL_MS } from '@/features/orders/seller/open-cases'
import { SELLER_ORDERS_KEY } from '@/features/orders/seller/orders-api'
import { updateOrderInLists } from '@/features/orders/update-order-in-lists'

export type Case = Schemas['Case']
export type CasePayment = Schemas['CasePayment']
type Page = Schemas['CaseList']
/** The key of the lists of cases. */
export const CASE_LISTS_KEY = [...CASES_KEY, 'list']

/** Fetched outside the list, without messages, to detect changes. */
export const fetchNewestCases = (closed: boolean) => fetchCases({ closed })

export const caseList = (closed: boolean) =>
  infiniteQueryOptions({
    queryKey: [...CASE_LISTS_KEY, closed ? 'closed' : 'open'],
    queryFn: ({ pageParam, signal }) => fetchCases({ closed, cursor: pageParam }, signal),
    ...PAGING,
    getNextPageParam: (last: Page) => last.nextCursor || undefined,
    meta: { failed: 'seller.cases.loadFailed', error: 'seller.cases.loadFailed' },
    refetchInterval: POLL_MS,
  })

/** Refetches the list, the badge and the orders that show the case. */
async function invalidateCases() {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: CASES_KEY }),
    queryClient.invalidateQueries({ queryKey: SELLER_ORDERS_KEY }),
  ])
}

const put = (order: Order) => {
  updateOrderInLists(SELLER_ORDERS_KEY, order)
  return invalidateCases()
}

export const casesApi = {
  /** Polls the wallet now. */
  check: async (orderId: string) =>
    put(await unwrapData(api.POST('/api/order/check_payment', { body: { orderId } }))),
  refund: async (paymentId: string) =>
    put(await unwrapData(api.POST('/api/order/refund_payment', { body: { paymentId } }))),
  close: async (caseId: string) => {
    await unwrapData(api.POST('/api/order/close_case', { body: { caseId } }))
    await invalidateCases()
  },
}
