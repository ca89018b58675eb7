import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap, unwrapData } from '@/api/client'

export type Overview = Schemas['Overview']
export type DayFigures = Overview['days'][number]

export type HourFigures = Overview['hours'][number]

/** The periods in days: today, a week, a month. */
export const PERIODS = [1, 7, 30] as const
export type Period = (typeof PERIODS)[number]

/** The figures are refreshed once a minute while the page is open. */
const POLL_MS = 60_000
const LOW_SHOWN = 5

export const overview = (days: Period) =>
  queryOptions({
    queryKey: ['seller', 'overview', days],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/order/get_overview', { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: POLL_MS,
    meta: { failed: 'seller.overview.failed', error: 'seller.overview.error' },
  })

/** The last 30 days, to compare a shorter period with. The page is complete without it, so a failure is silent. */
export const lastDays = queryOptions({
  queryKey: ['seller', 'overview', 'last-days'],
  queryFn: async ({ signal }) =>
    (await unwrapData(api.GET('/api/order/get_overview', { params: { query: { days: 30 } }, signal }))).days,
})

/** What a period is compared with: the same day a week ago, or the seven days before. */
export function earlierDays(days: DayFigures[], period: Period): DayFigures[] {
  if (period === 30 || days.length < 14) return []
  return period === 1 ? days.slice(-8, -7) : days.slice(-14, -7)
}

// Each section shows its own failure, so a toast is not needed.
export const topProducts = (days: Period) =>
  queryOptions({
    queryKey: ['seller', 'topProducts', days],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/order/get_top_products', { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const lowStock = queryOptions({
  queryKey: ['seller', 'lowStock'],
  queryFn: async ({ signal }) => {
    const query = { stock: 'low', sort: 'stock', limit: LOW_SHOWN } as const
    const { data, counts } = unwrap(
      await api.GET('/api/product/get_seller_products', { params: { query }, signal }),
    )
    return { products: data, all: counts.all, low: counts.low, out: counts.out }
  },
  staleTime: 0,
})
