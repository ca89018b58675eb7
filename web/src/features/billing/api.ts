// Bills of orders: the shopper's, and the seller's side (seller/). Calls /api/billing.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { USER_KEY } from '@/features/accounts/sign-in-out'
import type { MessageId } from '@/lib/i18n'

export type BillDocument = Schemas['BillDocument']
export type OrderBills = Schemas['OrderBillsResponse']

const KEY = [USER_KEY, 'bills']

/** `status` is part of the key because a change of the status can issue a bill. */
export const orderBills = (orderId: string, status: string) =>
  queryOptions({
    queryKey: [...KEY, orderId, status],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/billing/get_order_bills', { params: { query: { orderId } }, signal })),
    staleTime: 0,
  })

export async function setBuyer(orderId: string, name: string, pan: string) {
  await unwrapData(api.POST('/api/billing/set_bill_buyer', { body: { orderId, name, pan } }))
  await queryClient.invalidateQueries({ queryKey: KEY })
}

export const billUrl = (id: string) => `/api/billing/get_bill_pdf/${id}`

const KINDS: Record<string, MessageId> = {
  order_receipt: 'bills.kind.order_receipt',
  pan_bill: 'bills.kind.pan_bill',
  tax_invoice: 'bills.kind.tax_invoice',
  abbreviated_tax_invoice: 'bills.kind.abbreviated_tax_invoice',
  credit_note: 'bills.kind.credit_note',
}

export const kindMessage = (kind: string): MessageId => KINDS[kind] ?? 'bills.kind.pan_bill'

/** A PAN has nine digits. */
export const isPan = (digits: string) => /^\d{9}$/.test(digits)
