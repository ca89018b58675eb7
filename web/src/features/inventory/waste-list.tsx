import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { wasteRecords } from '@/features/inventory/api'
import { ProductName } from '@/features/inventory/product-name'
import { reasonMessage } from '@/features/inventory/waste-reasons'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'

/** What was written off, newest first. */
export function WasteList() {
  const t = useT()
  const lang = useLang()
  const query = useInfiniteQuery(wasteRecords)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <section aria-labelledby="stock-wasted">
      <h2 id="stock-wasted">{t('seller.inventory.wasted')}</h2>
      <LoadState
        query={query}
        problem="seller.inventory.failed"
        skeleton={<div className="stock-skeleton skeleton" />}
      >
        {({ pages }) => {
          const all = pages.flatMap((page) => page.records)
          if (all.length === 0) return <p className="muted">{t('seller.inventory.wastedNone')}</p>
          return (
            <>
              <ul className="stock-lines">
                {all.map((record) => (
                  <li key={record._id} className="stock-line" data-testid="waste-record">
                    <p>
                      {formatNumber(record.quantity, lang)} × <ProductName product={record.product} />
                      {' · '}
                      {t(reasonMessage(record.reason))}
                    </p>
                    <p className="muted">
                      {formatDateTime(record.recordedAt, lang)}
                      {' · '}
                      <span translate="no">
                        {[record.recordedBy, record.note].filter(Boolean).join(' · ')}
                      </span>
                    </p>
                  </li>
                ))}
              </ul>
              <LoadMoreButton query={query} label="seller.inventory.more" />
            </>
          )
        }}
      </LoadState>
    </section>
  )
}
