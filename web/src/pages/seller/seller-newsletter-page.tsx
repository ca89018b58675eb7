import { serverText } from '@/api/server-text'
import { SUBSCRIBERS_CSV, subscribers } from '@/features/newsletter/seller-api'
import { sellerEnded } from '@/features/orders/seller-ended'
import { DownloadButton } from '@/features/seller/seller-download'
import { formatMoment } from '@/lib/dates-moment'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { OfficeList, useOfficeList } from '@/pages/seller/seller-office-list'
import { DownloadIcon } from '@/ui/icons-seller'
import { usePageTitle } from '@/ui/page-title'
import { toast } from '@/ui/toast'

const LANGUAGES: Record<string, MessageId> = { en: 'snews.en', ne: 'snews.ne' }

/** Who asked to hear from the shop. */
export function SellerNewsletterPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.newsletter'))
  const list = useOfficeList(subscribers)
  const { search, query } = list
  const total = query.data?.pages[0]?.total
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
      <OfficeList of={list} words="snews">
        {(rows) => (
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
              {rows.map(({ _id, email, language: code, createdAt }) => (
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
        )}
      </OfficeList>
    </>
  )
}
