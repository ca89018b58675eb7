import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { MessageId } from '@/lib/i18n'

const PAGE_SIZE = 50

export type SellerPage<Row> = { data: Row[]; nextCursor: string | null }
type PageQuery = { search: string; cursor: string; limit: number }

/** A long list of the dashboard, which the server searches and sends page by page. */
export const searchablePages =
  <Page extends SellerPage<unknown>>(
    name: string,
    meta: { failed: MessageId; error: MessageId },
    fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<Page>,
  ) =>
  (search: string) =>
    infiniteQueryOptions({
      queryKey: ['seller', name, search],
      queryFn: ({ pageParam, signal }) => fetchPage({ search, cursor: pageParam, limit: PAGE_SIZE }, signal),
      initialPageParam: '',
      getNextPageParam: (last: Page) => last.nextCursor || undefined,
      placeholderData: keepPreviousData,
      staleTime: 0,
      meta,
    })
