import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Change } from '@/features/catalogue/seller-conflict'
import {
  type Import,
  type ImportRow,
  importQueries,
  KINDS,
  type RowKind,
} from '@/features/catalogue/seller-import-api'
import { useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { LoadState } from '@/ui/load-state'
import { MoreButton } from '@/ui/more-button'

const USUAL = ['all', ...KINDS] as const
/** On a phone only the first chips are in sight. */
const ERRORS_FIRST = ['error', 'all', 'add', 'update', 'same'] as const

/** Every row of the file, with what it would change or why it cannot; what is wrong comes first. */
export function ImportRows({ of }: { of: Import }) {
  const t = useT()
  const lang = useLang()
  const wrong = of.counts.error > 0
  const [kind, setKind] = useState<RowKind | 'all'>(wrong ? 'error' : 'all')
  const query = useInfiniteQuery(importQueries.rows(of._id, kind))
  const rows = query.data?.pages.flatMap(({ data }) => data)
  const all = KINDS.reduce((sum, each) => sum + of.counts[each], 0)
  return (
    <>
      <nav className="chips shelf-chips" aria-label={t('simp.kinds')}>
        <ul>
          {(wrong ? ERRORS_FIRST : USUAL).map((each) => (
            <li key={each}>
              <button
                type="button"
                className="chip"
                aria-current={kind === each ? 'true' : undefined}
                onClick={() => setKind(each)}
              >
                {t(`simp.kind.${each}`)}
                <span className="chip-count">
                  {formatNumber(each === 'all' ? all : of.counts[each], lang)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <LoadState of={{ ...query, data: rows }} problem="simp.rowsFailed" skeleton={<RowsSkeleton />}>
        {(list) =>
          list.length > 0 ? (
            <div className={query.isPlaceholderData ? 'stale' : undefined}>
              <table className="shelf-table import-table">
                <caption className="sr-only">{t('simp.caption')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('simp.col.row')}</th>
                    <th scope="col">{t('simp.col.product')}</th>
                    <th scope="col">{t('simp.col.kind')}</th>
                    <th scope="col">{t('simp.col.changes')}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((row) => (
                    <Row key={row.row} row={row} />
                  ))}
                </tbody>
              </table>
              <MoreButton of={query} label="products.loadMore" />
            </div>
          ) : (
            <p className="muted">{t('simp.noRows')}</p>
          )
        }
      </LoadState>
    </>
  )
}

function Row({ row }: { row: ImportRow }) {
  const t = useT()
  const lang = useLang()
  return (
    <tr data-testid="import-row" data-kind={row.kind}>
      <td className="import-number">
        <span className="only-narrow">{t('simp.col.row')} </span>
        {formatNumber(row.row, lang)}
      </td>
      <th scope="row">
        <span lang={scriptLang(row.name || row.slug, lang)}>{row.name || row.slug || '—'}</span>
        {row.slug && row.name ? <code translate="no">{row.slug}</code> : null}
      </th>
      <td>
        <span className="badge import-kind" data-kind={row.kind}>
          {t(`simp.row.${row.kind}`)}
        </span>
      </td>
      <td className="import-changes">
        {row.errors.length + row.changes.length > 0 ? (
          <ul>
            {row.errors.map(({ column, message }) => (
              <li
                key={`${column} ${message}`}
                className="import-error"
                // What stands in the cell is quoted.
                data-verbatim={/[‘'](.+)[’']/.exec(message)?.[1]}
              >
                {column ? <code translate="no">{column}</code> : null} {message}
              </li>
            ))}
            {row.changes.map(({ column, before, after }) => (
              <li key={column}>
                <code translate="no">{column}</code>{' '}
                {row.kind === 'add' ? (
                  <span lang={scriptLang(after, lang)}>{after}</span>
                ) : (
                  <Change before={before} after={after} />
                )}
              </li>
            ))}
          </ul>
        ) : null}
      </td>
    </tr>
  )
}

function RowsSkeleton() {
  return (
    <div className="shelf-blank skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className="skeleton" />
      ))}
    </div>
  )
}
