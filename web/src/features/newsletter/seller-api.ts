import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

const PAGE = 50

export const subscribers = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['seller', 'subscribers', search],
    queryFn: async ({ pageParam, signal }) =>
      unwrap(
        await api.GET('/api/subscriber/get_subscribers', {
          params: { query: { search, cursor: pageParam, limit: PAGE } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor || undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { failed: 'snews.failed', error: 'snews.error' },
  })

export const SUBSCRIBERS_CSV = '/api/subscriber/export_subscribers.csv'
