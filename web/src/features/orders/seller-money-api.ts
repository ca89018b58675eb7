import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '@/api/client'

export type MoneyReport = Schemas['MoneyReport']

/** In the order in which money goes its way. */
export const COLUMNS = ['paid', 'refunded', 'awaiting', 'cashToCollect', 'cashCollected'] as const

export type Span = { from: string; to: string }

export const moneyReport = (span: Span) =>
  queryOptions({
    queryKey: ['seller', 'money', span.from, span.to],
    queryFn: ({ signal }) => dataOf(api.GET('/api/order/money_report', { params: { query: span }, signal })),
    placeholderData: keepPreviousData,
    // Money moves while one looks.
    staleTime: 0,
    meta: { failed: 'smoney.failed', error: 'smoney.failed' },
  })

export const csvAddress = (span: Span) => `/api/order/money_report.csv?${new URLSearchParams(span)}`
