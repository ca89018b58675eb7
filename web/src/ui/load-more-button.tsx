import { type MessageId, useT } from '@/lib/i18n'

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

/** Loads the next page in place. It is a button and not endless scrolling, so that the footer stays reachable. */
export function LoadMoreButton({ query, label }: { query: Pages; label: MessageId }) {
  const t = useT()
  if (!query.hasNextPage) return null
  return (
    <button
      type="button"
      className="button button-outline load-more"
      aria-busy={query.isFetchingNextPage}
      onClick={() => {
        if (!query.isFetchingNextPage) query.fetchNextPage()
      }}
    >
      {t(query.isFetchingNextPage ? 'shell.loading' : label)}
    </button>
  )
}
