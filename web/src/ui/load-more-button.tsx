import { type MessageId, useT } from '@/lib/i18n'

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

/** Fetches the next page in place. A button and not endless scrolling, so that the footer stays reachable. */
export function LoadMoreButton({ of, label }: { of: Pages; label: MessageId }) {
  const t = useT()
  if (!of.hasNextPage) return null
  return (
    <button
      type="button"
      className="button button-outline load-more"
      aria-busy={of.isFetchingNextPage}
      onClick={() => {
        if (!of.isFetchingNextPage) of.fetchNextPage()
      }}
    >
      {t(of.isFetchingNextPage ? 'shell.loading' : label)}
    </button>
  )
}
