import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { MessageId } from '@/lib/i18n'

const PAGE = 50

export type SellerPage<Row> = { data: Row[]; nextCursor: string | null }
type Asked = { search: string; cursor: string; limit: number }

/** A long list of the seller's: searched by the server, and fetched a page after the other. */
export const searchedPages =
  <Page extends SellerPage<unknown>>(
    name: string,
    meta: { failed: MessageId; error: MessageId },
    fetchPage: (query: Asked, signal: AbortSignal) => Promise<Page>,
  ) =>
  (search: string) =>
    infiniteQueryOptions({
      queryKey: ['seller', name, search],
      queryFn: ({ pageParam, signal }) => fetchPage({ search, cursor: pageParam, limit: PAGE }, signal),
      initialPageParam: '',
      getNextPageParam: (last: Page) => last.nextCursor || undefined,
      placeholderData: keepPreviousData,
      staleTime: 0,
      meta,
    })
