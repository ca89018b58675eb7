import { queryOptions } from '@tanstack/react-query'
import { api, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'

export const KEY = ['seller', 'bills']

/** `status` is part of the key because a change of the status can issue a bill. */
export const sellerOrderBills = (orderId: string, status: string) =>
  queryOptions({
    queryKey: [...KEY, 'order', orderId, status],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/billing/get_seller_order_bills', { params: { query: { orderId } }, signal })),
    staleTime: 0,
  })

export const reloadBills = () => queryClient.invalidateQueries({ queryKey: KEY })

export async function creditBill(
  billId: string,
  lines: { position: number; quantity: number }[],
  reason: string,
) {
  await unwrapData(api.POST('/api/billing/credit_bill', { body: { billId, lines, reason } }))
  await reloadBills()
}

export const sellerBillUrl = (id: string, paper: 'a4' | 'roll') =>
  `/api/billing/get_seller_bill_pdf/${id}?paper=${paper}`
