import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import type { DateRange } from '@/features/reports/money-api'

export type MarginReport = Schemas['MarginReport']
export type MarginSums = MarginReport['total']

/** The server's limit for this report. */
export const MAX_MARGIN_DAYS = 31

export const marginReport = (span: DateRange) =>
  queryOptions({
    queryKey: ['seller', 'margin', span.from, span.to],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/order/margin_report', { params: { query: span }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { failed: 'seller.margin.failed', error: 'seller.margin.failed' },
  })

export const marginCsvUrl = (span: DateRange) => `/api/order/margin_report.csv?${new URLSearchParams(span)}`
