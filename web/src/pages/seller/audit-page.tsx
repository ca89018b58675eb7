import { Link } from '@tanstack/react-router'
import { useCaseText } from '@/features/orders/seller/order-cases'
import { useStatusText } from '@/features/orders/status'
import { type AuditEntry, auditLog } from '@/features/staff/audit-api'
import {
  actionMessage,
  type Change,
  changesOf,
  columnMessage,
  importMessage,
  plainValue,
} from '@/features/staff/audit-messages'
import { formatDate } from '@/lib/dates'
import { formatDateTime } from '@/lib/dates-time'
import type { Lang } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { SearchableList, useSearchableList } from '@/pages/seller/searchable-list'
import { HistoryIcon } from '@/ui/icons-seller'
import { usePageTitle } from '@/ui/page-title'

/** The audit log, newest first. */
export function SellerAuditPage() {
  const t = useT()
  usePageTitle(t('seller.nav.audit'))
  const list = useSearchableList(auditLog)
  const { search, query, rows } = list
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.audit')}</h1>
        <p className="sr-only" role="status">
          {rows && search && !query.isPlaceholderData ? t('seller.audit.count', { n: rows.length }) : ''}
        </p>
      </div>
      <SearchableList list={list} messagePrefix="seller.audit" icon={<HistoryIcon size={36} />}>
        {(rows) => (
          <table className="seller-table audit-table">
            <caption className="sr-only">{t('seller.nav.audit')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('seller.audit.what')}</th>
                <th scope="col">{t('seller.audit.change')}</th>
                <th scope="col">{t('seller.audit.who')}</th>
                <th scope="col">{t('seller.audit.when')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((entry) => (
                <AuditRow key={entry._id} entry={entry} />
              ))}
            </tbody>
          </table>
        )}
      </SearchableList>
    </>
  )
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const t = useT()
  const lang = useLang()
  const messagePrefix = actionMessage(entry.action)
  return (
    <tr data-testid="audit-entry">
      <th scope="row">
        {messagePrefix ? t(messagePrefix) : entry.action}
        <Thing entry={entry} />
      </th>
      <td>
        <Changes entry={entry} />
      </td>
      <td data-label={t('seller.audit.who')} translate="no">
        {entry.seller}
      </td>
      <td data-label={t('seller.audit.when')}>
        <time dateTime={entry.at}>{formatDateTime(entry.at, lang)}</time>
      </td>
    </tr>
  )
}

const OF_ORDER = /^(?:order|payment|case)\./

/** The object of an entry, with a link if it still exists. */
function Thing({ entry: { action, about } }: { entry: AuditEntry }) {
  if (!about) return null
  if (OF_ORDER.test(action))
    return (
      <Link className="link" to={paths.sellerOrders} hash={about} translate="no">
        #{about}
      </Link>
    )
  if (/^product\.(?:add|update|stock)$/.test(action))
    return (
      <Link className="link" to={paths.seller} search={{ search: about } as never} translate="no">
        {about}
      </Link>
    )
  if (/^category\.(?:add|update)$/.test(action))
    return (
      <Link className="link" to={paths.sellerCategories} search={{ search: about } as never} translate="no">
        {about}
      </Link>
    )
  if (action === 'product.import')
    return (
      <Link className="link" to={paths.sellerImport} translate="no">
        {about}
      </Link>
    )
  return (
    <span className="audit-thing" translate="no">
      {about}
    </span>
  )
}

/** Columns that are shown in the reader's digits; a tax number keeps the digits of its document. */
const FIGURES = ['price', 'stock', 'rating', 'reviews']
/** The value of a picture is a file name, which means nothing to the seller. */
const PICTURES = ['picture', 'pictures', 'image', 'more_images', 'icon']

function Changes({ entry }: { entry: AuditEntry }) {
  const t = useT()
  const lang = useLang()
  const value = useValueText(entry.action)
  const changes = changesOf(entry).map(({ column, before, after }) => ({
    column,
    before: plainValue(before),
    after: plainValue(after),
  }))
  if (changes.length === 0) return null
  const name = (column: string) => {
    const id = columnMessage(column)
    return id ? t(id) : column
  }
  const text = ({ column, before, after }: Change) => {
    if (PICTURES.includes(column)) return t('seller.audit.replaced')
    return (
      <>
        {before ? <del lang={scriptLang(value(before, column), lang)}>{value(before, column)}</del> : null}
        {before && after ? <span aria-hidden="true"> → </span> : null}
        {after ? <ins lang={scriptLang(value(after, column), lang)}>{value(after, column)}</ins> : null}
        {!after && column ? <span className="muted"> {t('seller.audit.emptied')}</span> : null}
      </>
    )
  }
  return (
    <ul className="audit-changes">
      {changes.map((change) => (
        <li key={change.column}>
          {change.column ? <span className="muted">{name(change.column)}: </span> : null}
          {text(change)}
        </li>
      ))}
    </ul>
  )
}

/** Formats a number with as many decimals as in the log. */
const figure = (text: string, lang: Lang) => formatNumber(Number(text), lang, text.split('.')[1]?.length ?? 0)

/** Translates the codes of the log. */
function useValueText(action: string): (text: string, column: string) => string {
  const t = useT()
  const lang = useLang()
  const status = useStatusText()
  const kind = useCaseText()
  return (text, column) => {
    if (action === 'order.status') return status(text)
    if (action === 'order.delivery_date') return formatDate(text, lang) || text
    if (action === 'case.close') return text === 'closed' ? t('seller.audit.closed') : kind(text)
    if (action === 'payment.refund' && text === 'requested') return t('seller.audit.requested')
    if (action === 'product.import') {
      const state = importMessage(text)
      return state ? t(state) : text
    }
    if (text === 'by import') return t('seller.audit.byImport')
    const [, addresses] = text.match(/^(\d+) addresses$/) ?? []
    if (addresses) return t('seller.audit.addresses', { n: Number(addresses) })
    const [, price, stock] = text.match(/^price ([\d.]+), stock (\d+)$/) ?? []
    if (price && stock)
      return t('seller.audit.priceAndStock', { price: figure(price, lang), stock: figure(stock, lang) })
    // The product's name is already shown beside it.
    const [, left] = text.match(/^\S+, stock (\d+)$/) ?? []
    if (left) return t('seller.audit.stockWas', { stock: figure(left, lang) })
    return FIGURES.includes(column) && Number.isFinite(Number(text)) ? figure(text, lang) : text
  }
}
