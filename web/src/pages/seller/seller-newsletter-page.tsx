import '@/styles/orders.css'
import '@/styles/office.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { SUBSCRIBERS_CSV, subscribers } from '@/features/newsletter/seller-api'
import { OrderSearch } from '@/features/orders/order-search'
import { sellerEnded } from '@/features/orders/seller-ended'
import { DownloadButton } from '@/features/seller/seller-download'
import { focusSearch } from '@/features/seller/seller-search-focus'
import { formatMoment } from '@/lib/dates-moment'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { useDebounced } from '@/lib/use-debounced'
import { DownloadIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { MoreButton } from '@/ui/more-button'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { toast } from '@/ui/toast'

const TYPING_MS = 250

const LANGUAGES: Record<string, MessageId> = { en: 'snews.en', ne: 'snews.ne' }

/** Who asked to hear from the shop. */
export function SellerNewsletterPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.newsletter'))
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), TYPING_MS)
  const query = useInfiniteQuery(subscribers(search))
  const rows = query.data?.pages.flatMap((page) => page.data)
  const total = query.data?.pages[0]?.total
  useEffect(() => sellerEnded(query.error), [query.error])
  const language = (code: string) => {
    const id = LANGUAGES[code]
    return id ? t(id) : code
  }
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.newsletter')}</h1>
        <p className="muted" role="status">
          {total !== undefined && !query.isPlaceholderData
            ? t(search ? 'snews.found' : 'snews.total', { n: total })
            : ''}
        </p>
        <DownloadButton
          address={SUBSCRIBERS_CSV}
          name="subscribers.csv"
          icon={<DownloadIcon />}
          label={t('snews.csv')}
          onFailed={(error) => {
            toast.error(serverText(error, { refused: 'snews.failed', broken: 'snews.error' }))
            sellerEnded(error)
          }}
        />
      </div>
      <OrderSearch label={t('snews.search')} hint={t('snews.search')} text={text} onChange={setText} />
      <LoadState of={{ ...query, data: rows }} problem="snews.problem" skeleton={<OfficeSkeleton />}>
        {(list) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            {list.length > 0 ? (
              <table className="office-table">
                <caption className="sr-only">{t('seller.newsletter')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('snews.email')}</th>
                    <th scope="col">{t('snews.language')}</th>
                    <th scope="col">{t('snews.since')}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map(({ _id, email, language: code, createdAt }) => (
                    <tr key={_id} data-testid="subscriber">
                      <th scope="row" translate="no">
                        {email}
                      </th>
                      <td data-label={t('snews.language')}>{language(code)}</td>
                      <td data-label={t('snews.since')}>
                        <time dateTime={createdAt}>{formatMoment(createdAt, lang)}</time>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            ) : search ? (
              <StatePanel
                title={t('snews.noMatch', { text: search })}
                action={
                  <button
                    type="button"
                    className="button button-outline"
                    onClick={() => {
                      setText('')
                      focusSearch()
                    }}
                  >
                    {t('seller.clear')}
                  </button>
                }
              />
            ) : (
              <StatePanel title={t('snews.empty')} text={t('snews.emptyText')} />
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
