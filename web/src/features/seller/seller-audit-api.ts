import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'

export type AuditEntry = Schemas['Noted']

const PAGE = 50

export const auditLog = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['seller', 'audit', search],
    queryFn: async ({ pageParam, signal }) =>
      unwrap(
        await api.GET('/api/seller/get_audit', {
          params: { query: { search, cursor: pageParam, limit: PAGE } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor || undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { failed: 'saud.failed', error: 'saud.error' },
  })
