import { type ReactNode, useState } from 'react'
import { serverText } from '@/api/server-text'
import { SUBSCRIBERS_CSV, subscribers } from '@/features/newsletter/seller/api'
import { NewsletterList } from '@/features/newsletter/seller/newsletter-list'
import { DownloadButton } from '@/features/staff/download-button'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { SearchableList, useSearchableList } from '@/pages/seller/searchable-list'
import { DownloadIcon, PeopleIcon } from '@/ui/icons-seller'
import { usePageTitle } from '@/ui/page-title'
import { toast } from '@/ui/toast'

const LANGUAGES: Record<string, MessageId> = { en: 'seller.newsletter.en', ne: 'seller.newsletter.ne' }

/** The subscribers of the newsletter, and the newsletters themselves. */
export function SellerNewsletterPage() {
  const t = useT()
  usePageTitle(t('seller.nav.newsletter'))
  const [writing, setWriting] = useState(false)
  const tabs = (
    <fieldset className="segments newsletter-tabs">
      <legend className="sr-only">{t('seller.newsletters.tabLabel')}</legend>
      <button type="button" aria-pressed={!writing} onClick={() => setWriting(false)}>
        {t('seller.newsletters.tabSubscribers')}
      </button>
      <button type="button" aria-pressed={writing} onClick={() => setWriting(true)}>
        {t('seller.newsletters.tabNewsletters')}
      </button>
    </fieldset>
  )
  if (!writing) return <SubscriberList tabs={tabs} />
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.newsletter')}</h1>
      </div>
      {tabs}
      <NewsletterList />
    </>
  )
}

function SubscriberList({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const lang = useLang()
  const list = useSearchableList(subscribers)
  const { search, query } = list
  const total = query.data?.pages[0]?.total
  const language = (code: string) => {
    const id = LANGUAGES[code]
    return id ? t(id) : code
  }
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.newsletter')}</h1>
        <p className="muted" role="status">
          {total !== undefined && !query.isPlaceholderData
            ? t(search ? 'seller.newsletter.found' : 'seller.newsletter.total', { n: total })
            : ''}
        </p>
        <DownloadButton
          address={SUBSCRIBERS_CSV}
          name="subscribers.csv"
          icon={<DownloadIcon />}
          label={t('seller.newsletter.downloadCsv')}
          onFailed={(error) => {
            toast.error(
              serverText(error, { refused: 'seller.newsletter.failed', broken: 'seller.newsletter.error' }),
            )
            handleSellerSessionEnded(error)
          }}
        />
      </div>
      {tabs}
      <SearchableList list={list} messagePrefix="seller.newsletter" icon={<PeopleIcon size={36} />}>
        {(rows) => (
          <table className="seller-table">
            <caption className="sr-only">{t('seller.nav.newsletter')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('seller.newsletter.email')}</th>
                <th scope="col">{t('seller.newsletter.language')}</th>
                <th scope="col">{t('seller.newsletter.since')}</th>
                <th scope="col">{t('seller.newsletter.confirmed')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ _id, email, language: code, createdAt, confirmedAt }) => (
                <tr key={_id} data-testid="subscriber">
                  <th scope="row" translate="no">
                    {email}
                  </th>
                  <td data-label={t('seller.newsletter.language')}>{language(code)}</td>
                  <td data-label={t('seller.newsletter.since')}>
                    <time dateTime={createdAt}>{formatDateTime(createdAt, lang)}</time>
                  </td>
                  <td data-label={t('seller.newsletter.confirmed')}>
                    {confirmedAt ? (
                      <time dateTime={confirmedAt}>{formatDateTime(confirmedAt, lang)}</time>
                    ) : (
                      t('seller.newsletter.notConfirmed')
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </SearchableList>
    </>
  )
}
