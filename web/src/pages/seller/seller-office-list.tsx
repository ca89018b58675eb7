import '@/styles/orders.css'
import '@/styles/office.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { OrderSearch } from '@/features/orders/order-search'
import { sellerEnded } from '@/features/orders/seller-ended'
import { NoMatch } from '@/features/seller/seller-no-match'
import type { SellerPage, searchedPages } from '@/features/seller/seller-paged'
import { useT } from '@/lib/i18n'
import { useDebounced } from '@/lib/use-debounced'
import { LoadState } from '@/ui/load-state'
import { MoreButton } from '@/ui/more-button'
import { StatePanel } from '@/ui/state-panel'

const TYPING_MS = 250

/** A list of the office and the text it is searched with. */
export function useOfficeList<Page extends SellerPage<unknown>>(
  pages: ReturnType<typeof searchedPages<Page>>,
) {
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), TYPING_MS)
  const query = useInfiniteQuery(pages(search))
  useEffect(() => sellerEnded(query.error), [query.error])
  const rows = query.data?.pages.flatMap((page): Page['data'] => page.data)
  return { text, setText, search, query, rows }
}

type OfficeListProps<Page extends SellerPage<unknown>> = {
  of: ReturnType<typeof useOfficeList<Page>>
  /** Which list it is, in the catalogue of messages. */
  words: 'saud' | 'snews'
  children: (rows: Page['data']) => ReactNode
}

export function OfficeList<Page extends SellerPage<unknown>>({
  of: list,
  words,
  children,
}: OfficeListProps<Page>) {
  const t = useT()
  const { text, setText, search, query, rows } = list
  const label = t(`${words}.search`)
  return (
    <>
      <OrderSearch label={label} hint={label} text={text} onChange={setText} />
      <LoadState of={{ ...query, data: rows }} problem={`${words}.problem`} skeleton={<OfficeSkeleton />}>
        {(found) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {found.length > 0 ? (
              children(found)
            ) : search ? (
              <NoMatch title={t(`${words}.noMatch`, { text: search })} onClear={() => setText('')} />
            ) : (
              <StatePanel title={t(`${words}.empty`)} text={t(`${words}.emptyText`)} />
            )}
            <MoreButton of={query} label="products.loadMore" />
          </div>
        )}
      </LoadState>
    </>
  )
}

function OfficeSkeleton() {
  return (
    <div className="skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="office-blank skeleton" />
      ))}
    </div>
  )
}
