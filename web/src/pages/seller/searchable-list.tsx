import '@/styles/orders.css'
import '@/styles/seller-tables.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { NoMatch } from '@/features/staff/no-match'
import type { SellerPage, searchablePages } from '@/features/staff/searchable-pages'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { useDebounced } from '@/lib/use-debounced'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { SearchField } from '@/ui/search-field'
import { StatePanel } from '@/ui/state-panel'

const TYPING_MS = 250

/** A list of the seller dashboard and its search text. */
export function useSearchableList<Page extends SellerPage<unknown>>(
  pages: ReturnType<typeof searchablePages<Page>>,
) {
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), TYPING_MS)
  const query = useInfiniteQuery(pages(search))
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const rows = query.data?.pages.flatMap((page): Page['data'] => page.data)
  return { text, setText, search, query, rows }
}

type SearchableListProps<Page extends SellerPage<unknown>> = {
  list: ReturnType<typeof useSearchableList<Page>>
  /** The prefix of the list's messages. */
  messagePrefix: 'seller.audit' | 'seller.newsletter'
  /** The drawing of the empty list. */
  icon: ReactNode
  children: (rows: Page['data']) => ReactNode
}

export function SearchableList<Page extends SellerPage<unknown>>({
  list,
  messagePrefix,
  icon,
  children,
}: SearchableListProps<Page>) {
  const t = useT()
  const { text, setText, search, query, rows } = list
  const label = t(`${messagePrefix}.search`)
  return (
    <>
      <SearchField label={label} hint={label} text={text} onChange={setText} />
      <LoadState
        query={{ ...query, data: rows }}
        problem={`${messagePrefix}.problem`}
        skeleton={<ListSkeleton />}
      >
        {(found) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {found.length > 0 ? (
              children(found)
            ) : search ? (
              <NoMatch title={t(`${messagePrefix}.noMatch`, { text: search })} onClear={() => setText('')} />
            ) : (
              <StatePanel
                icon={icon}
                title={t(`${messagePrefix}.empty`)}
                text={t(`${messagePrefix}.emptyText`)}
              />
            )}
            <LoadMoreButton query={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
    </>
  )
}

function ListSkeleton() {
  return (
    <div className="skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="seller-table-skeleton skeleton" />
      ))}
    </div>
  )
}
