import { serverText } from '@/api/server-text'
import { SUBSCRIBERS_CSV, subscribers } from '@/features/newsletter/seller/api'
import { DownloadButton } from '@/features/staff/download-button'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { SearchableList, useSearchableList } from '@/pages/seller/searchable-list'
import { DownloadIcon } from '@/ui/icons-seller'
import { usePageTitle } from '@/ui/page-title'
import { toast } from '@/ui/toast'

const LANGUAGES: Record<string, MessageId> = { en: 'seller.newsletter.en', ne: 'seller.newsletter.ne' }

/** The subscribers of the newsletter. */
export function SellerNewsletterPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.nav.newsletter'))
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
      <SearchableList list={list} messagePrefix="seller.newsletter">
        {(rows) => (
          <table className="seller-table">
            <caption className="sr-only">{t('seller.nav.newsletter')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('seller.newsletter.email')}</th>
                <th scope="col">{t('seller.newsletter.language')}</th>
                <th scope="col">{t('seller.newsletter.since')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ _id, email, language: code, createdAt }) => (
                <tr key={_id} data-testid="subscriber">
                  <th scope="row" translate="no">
                    {email}
                  </th>
                  <td data-label={t('seller.newsletter.language')}>{language(code)}</td>
                  <td data-label={t('seller.newsletter.since')}>
                    <time dateTime={createdAt}>{formatDateTime(createdAt, lang)}</time>
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
