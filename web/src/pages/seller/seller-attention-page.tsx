import '@/styles/orders.css'
import '@/styles/money.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { SellerCase } from '@/features/orders/seller-case'
import { CASE_LISTS, caseList, newestCases } from '@/features/orders/seller-cases-api'
import { sellerEnded } from '@/features/orders/seller-ended'
import { openCases } from '@/features/orders/seller-open-cases'
import { useLiveOrders } from '@/features/orders/use-live-orders'
import { useT } from '@/lib/i18n'
import { LoadState } from '@/ui/load-state'
import { MoreButton } from '@/ui/more-button'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

/** What the shop could not settle by itself and a person has to look at, the newest first. */
export function SellerAttentionPage() {
  const t = useT()
  usePageTitle(t('seller.attention'))
  const [closed, setClosed] = useState(false)
  const query = useInfiniteQuery(caseList(closed))
  const cases = query.data?.pages.flatMap((page) => page.data)
  useLiveOrders({
    address: '/api/order/live_all',
    lists: CASE_LISTS,
    newest: () => newestCases(closed),
    onFailed: sellerEnded,
    onOrder: () => void queryClient.invalidateQueries({ queryKey: openCases.queryKey }),
  })
  useEffect(() => sellerEnded(query.error), [query.error])
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.attention')}</h1>
        <fieldset className="segments">
          <legend className="sr-only">{t('scase.which')}</legend>
          {[false, true].map((each) => (
            <button
              key={String(each)}
              type="button"
              aria-pressed={closed === each}
              onClick={() => setClosed(each)}
            >
              {t(each ? 'scase.handledOnes' : 'scase.openOnes')}
            </button>
          ))}
        </fieldset>
      </div>
      <p className="sr-only" role="status">
        {cases ? t('scase.count', { n: cases.length }) : ''}
      </p>
      <LoadState of={{ ...query, data: cases }} problem="scase.loadFailed" skeleton={<CasesSkeleton />}>
        {(list) =>
          list.length > 0 ? (
            <>
              <ul className="cases">
                {list.map((each) => (
                  <li key={each._id}>
                    <SellerCase case={each} />
                  </li>
                ))}
              </ul>
              <MoreButton of={query} label="products.loadMore" />
            </>
          ) : (
            <StatePanel
              title={t(closed ? 'scase.noneHandled' : 'scase.none')}
              text={t(closed ? 'scase.noneHandledText' : 'scase.noneText')}
            />
          )
        }
      </LoadState>
    </>
  )
}

function CasesSkeleton() {
  return (
    <div className="cases skeleton-late" aria-hidden="true">
      {[1, 2, 3].map((row) => (
        <div key={row} className="case-blank skeleton" />
      ))}
    </div>
  )
}
