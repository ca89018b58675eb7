import '@/styles/orders.css'
import '@/styles/seller-money.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { undelivered } from '@/features/alerts/api'
import { UndeliveredList } from '@/features/alerts/undelivered-list'
import { ComplaintList } from '@/features/complaints/seller/complaint-list'
import { openComplaints } from '@/features/complaints/seller/open-complaints'
import { openCases } from '@/features/orders/seller/open-cases'
import { SELLER_STREAM } from '@/features/orders/seller-stream'
import { useLiveOrders } from '@/features/orders/use-live-orders'
import { CaseCard } from '@/features/settlement/case-card'
import { CASE_LISTS_KEY, caseList, fetchNewestCases } from '@/features/settlement/cases-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { BellIcon } from '@/ui/icons-seller'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

/** The open cases, which a person must decide, newest first. */
export function SellerAttentionPage() {
  const t = useT()
  usePageTitle(t('seller.nav.attention'))
  const [closed, setClosed] = useState(false)
  const query = useInfiniteQuery(caseList(closed))
  const cases = query.data?.pages.flatMap((page) => page.data)
  const { data: failed = [] } = useQuery(undelivered)
  const { data: complaints = 0 } = useQuery({ ...openComplaints, enabled: false })
  /** Nothing is clear while there are complaints or messages that did not arrive. */
  const hasOther = !closed && failed.length + complaints > 0
  useLiveOrders({
    address: SELLER_STREAM,
    lists: CASE_LISTS_KEY,
    newest: () => fetchNewestCases(closed),
    onFailed: handleSellerSessionEnded,
    onOrder: () => void queryClient.invalidateQueries({ queryKey: openCases.queryKey }),
  })
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.attention')}</h1>
        <fieldset className="segments">
          <legend className="sr-only">{t('seller.cases.filterLabel')}</legend>
          {[false, true].map((each) => (
            <button
              key={String(each)}
              type="button"
              aria-pressed={closed === each}
              onClick={() => setClosed(each)}
            >
              {t(each ? 'seller.cases.filterHandled' : 'seller.cases.filterOpen')}
            </button>
          ))}
        </fieldset>
      </div>
      <p className="sr-only" role="status">
        {cases ? t('seller.cases.count', { n: cases.length }) : ''}
      </p>
      <ComplaintList closed={closed} />
      <LoadState
        query={{ ...query, data: cases }}
        problem="seller.cases.loadFailed"
        skeleton={<CasesSkeleton />}
      >
        {(list) =>
          list.length > 0 ? (
            <>
              <ul className="cases">
                {list.map((each) => (
                  <li key={each._id}>
                    <CaseCard case={each} />
                  </li>
                ))}
              </ul>
              <LoadMoreButton query={query} label="products.loadMore" />
            </>
          ) : hasOther ? null : (
            <StatePanel
              icon={<BellIcon size={36} />}
              title={t(closed ? 'seller.cases.noneHandled' : 'seller.cases.none')}
              text={t(closed ? 'seller.cases.noneHandledText' : 'seller.cases.noneText')}
            />
          )
        }
      </LoadState>
      <UndeliveredList />
    </>
  )
}

function CasesSkeleton() {
  return (
    <div className="cases skeleton-late" aria-hidden="true">
      {[1, 2, 3].map((row) => (
        <div key={row} className="case-skeleton skeleton" />
      ))}
    </div>
  )
}
