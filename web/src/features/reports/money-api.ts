import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

export type MoneyReport = Schemas['MoneyReport']

/** In the order in which money moves. */
export const COLUMNS = ['paid', 'refunded', 'awaiting', 'cashToCollect', 'cashCollected'] as const

export type DateRange = { from: string; to: string }

export const moneyReport = (span: DateRange) =>
  queryOptions({
    queryKey: ['seller', 'money', span.from, span.to],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/order/money_report', { params: { query: span }, signal })),
    placeholderData: keepPreviousData,
    // The figures change while the page is open.
    staleTime: 0,
    meta: { failed: 'seller.money.failed', error: 'seller.money.failed' },
  })

export const csvUrl = (span: DateRange) => `/api/order/money_report.csv?${new URLSearchParams(span)}`
