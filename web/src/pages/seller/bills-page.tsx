import '@/styles/billing.css'
import '@/styles/seller-money.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { serverText } from '@/api/server-text'
import { kindMessage } from '@/features/billing/api'
import { sellerBillUrl } from '@/features/billing/seller/bills-api'
import {
  billRegister,
  type RegisterEntry,
  type RegisterFilter,
  registerUrl,
} from '@/features/billing/seller/register-api'
import { lastDays } from '@/features/reports/date-range'
import { DownloadButton } from '@/features/staff/download-button'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { DocumentIcon } from '@/ui/icons-seller'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { toast } from '@/ui/toast'

const TYPING_MS = 250
const FAILED = { refused: 'seller.bills.failed', broken: 'seller.bills.failed' } as const

/** The register of bills and credit notes, with its files for the accountant and the tax office. */
export function SellerBillsPage() {
  const t = useT()
  usePageTitle(t('seller.bills.title'))
  const [filter, setFilter] = useState<RegisterFilter>(() => ({ ...lastDays(30), number: '' }))
  const shown = useDebounced(filter, TYPING_MS)
  const isComplete = shown.from !== '' && shown.to !== '' && shown.from <= shown.to
  const query = useInfiniteQuery({ ...billRegister(shown), enabled: isComplete })
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const entries = query.data?.pages.flatMap((page) => page.data)
  const onFailed = (error: unknown) => {
    if (!handleSellerSessionEnded(error)) toast.error(serverText(error, FAILED))
  }
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.bills.title')}</h1>
        {isComplete ? (
          <div className="button-row">
            <DownloadButton
              address={registerUrl('bill_register.csv', shown)}
              name="bills.csv"
              icon={<DocumentIcon />}
              label={t('seller.bills.csv')}
              onFailed={onFailed}
            />
            <DownloadButton
              address={registerUrl('bill_register_cbms.json', shown)}
              name="cbms.json"
              icon={<DocumentIcon />}
              label={t('seller.bills.cbms')}
              onFailed={onFailed}
            />
          </div>
        ) : null}
      </div>
      <Filter filter={filter} onChange={setFilter} />
      {isComplete ? (
        <LoadState query={{ ...query, data: entries }} problem="seller.bills.failed" skeleton={<Skeleton />}>
          {(list) => (
            <div className={query.isPlaceholderData ? 'stale' : undefined}>
              {list.length > 0 ? (
                <Register entries={list} />
              ) : (
                <p className="muted">{t('seller.bills.none')}</p>
              )}
              <LoadMoreButton query={query} label="seller.bills.more" />
            </div>
          )}
        </LoadState>
      ) : (
        <p className="order-warning" role="alert">
          {t('seller.bills.rangeError')}
        </p>
      )}
    </>
  )
}

type FilterProps = { filter: RegisterFilter; onChange: (next: RegisterFilter) => void }

function Filter({ filter, onChange }: FilterProps) {
  const t = useT()
  const id = useId()
  return (
    <div className="money-range">
      {(['from', 'to', 'number'] as const).map((name) => (
        <div key={name} className="field">
          <label htmlFor={`${id}-${name}`}>{t(`seller.bills.${name}`)}</label>
          <input
            id={`${id}-${name}`}
            className="input"
            type={name === 'number' ? 'search' : 'date'}
            value={filter[name]}
            onChange={(event) => onChange({ ...filter, [name]: event.target.value })}
          />
        </div>
      ))}
    </div>
  )
}

function Register({ entries }: { entries: RegisterEntry[] }) {
  const t = useT()
  const lang = useLang()
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'always')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for those who scroll with keys
    <section className="money-box" aria-label={t('seller.bills.title')} tabIndex={0}>
      <table className="money-table bills-table">
        <thead>
          <tr>
            <th scope="col">{t('seller.bills.number')}</th>
            <th scope="col">{t('seller.bills.date')}</th>
            <th scope="col">{t('seller.bills.buyer')}</th>
            <th scope="col">{t('seller.bills.exempt')}</th>
            <th scope="col">{t('seller.bills.taxable')}</th>
            <th scope="col">{t('seller.bills.tax')}</th>
            <th scope="col">{t('seller.bills.total')}</th>
            <th scope="col">{t('seller.bills.copies')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry._id} data-testid="entry">
              <th scope="row">
                <a
                  className="link"
                  href={sellerBillUrl(entry._id, 'a4')}
                  target="_blank"
                  rel="noreferrer"
                  translate="no"
                >
                  {entry.number}
                </a>
                <span className="muted">{t(kindMessage(entry.kind))}</span>
                {entry.corrects ? (
                  <span className="muted">{t('seller.bills.corrects', { number: entry.corrects })}</span>
                ) : null}
              </th>
              <td>{formatDate(entry.date, lang)}</td>
              <td>
                <span translate="no">{entry.buyerName}</span>
                {entry.buyerPan ? <span className="muted">{entry.buyerPan}</span> : null}
                <Link className="link" to={paths.sellerOrders} hash={entry.orderCode} translate="no">
                  #{entry.orderCode}
                </Link>
              </td>
              <td>{money(entry.exempt + entry.delivery - entry.discount)}</td>
              <td>{money(entry.taxable)}</td>
              <td>{money(entry.tax)}</td>
              <td>{money(entry.total)}</td>
              <td>{entry.copies}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Skeleton() {
  return (
    <div className="skeleton-late" aria-hidden="true">
      <div className="money-skeleton money-skeleton-tall skeleton" />
    </div>
  )
}
