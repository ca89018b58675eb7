import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CategoryHint } from '@/features/catalogue/seller/category-hint'
import { Change } from '@/features/catalogue/seller/edit-conflict'
import {
  type Import,
  type ImportRow,
  importQueries,
  ROW_KINDS,
  type RowKind,
} from '@/features/catalogue/seller/import-api'
import { useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { LoadMoreButton } from '@/ui/load-more-button'
import { LoadState } from '@/ui/load-state'

const USUAL = ['all', ...ROW_KINDS] as const
/** On a phone only the first chips are visible. */
const ERRORS_FIRST = ['error', 'all', 'add', 'update', 'same'] as const

/** Every row of the file with its changes or its error; rows with errors come first. */
export function ImportRows({ productImport }: { productImport: Import }) {
  const t = useT()
  const lang = useLang()
  const wrong = productImport.counts.error > 0
  const [kind, setKind] = useState<RowKind | 'all'>(wrong ? 'error' : 'all')
  const query = useInfiniteQuery(importQueries.rows(productImport._id, kind))
  const rows = query.data?.pages.flatMap(({ data }) => data)
  const all = ROW_KINDS.reduce((sum, each) => sum + productImport.counts[each], 0)
  return (
    <>
      <nav className="chips catalogue-chips" aria-label={t('seller.imports.filterLabel')}>
        <ul>
          {(wrong ? ERRORS_FIRST : USUAL).map((each) => (
            <li key={each}>
              <button
                type="button"
                className="chip"
                aria-current={kind === each ? 'true' : undefined}
                onClick={() => setKind(each)}
              >
                {t(`seller.imports.filter.${each}`)}
                <span className="chip-count">
                  {formatNumber(each === 'all' ? all : productImport.counts[each], lang)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <LoadState
        query={{ ...query, data: rows }}
        problem="seller.imports.rowsFailed"
        skeleton={<RowsSkeleton />}
      >
        {(list) =>
          list.length > 0 ? (
            <div className={query.isPlaceholderData ? 'stale' : undefined}>
              <table className="catalogue-table import-table">
                <caption className="sr-only">{t('seller.imports.caption')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('seller.imports.col.row')}</th>
                    <th scope="col">{t('seller.imports.col.product')}</th>
                    <th scope="col">{t('seller.imports.col.kind')}</th>
                    <th scope="col">{t('seller.imports.col.changes')}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((row) => (
                    <Row key={row.row} row={row} />
                  ))}
                </tbody>
              </table>
              <LoadMoreButton query={query} label="products.loadMore" />
            </div>
          ) : (
            <p className="muted">{t('seller.imports.noRows')}</p>
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
        <span className="only-narrow">{t('seller.imports.col.row')} </span>
        {formatNumber(row.row, lang)}
      </td>
      <th scope="row">
        <span lang={scriptLang(row.name || row.slug, lang)}>{row.name || row.slug || '—'}</span>
        {row.slug && row.name ? <code translate="no">{row.slug}</code> : null}
      </th>
      <td>
        <span className="badge import-kind" data-kind={row.kind}>
          {t(`seller.imports.rowKind.${row.kind}`)}
        </span>
      </td>
      <td className="import-changes">
        {row.errors.length + row.changes.length > 0 ? (
          <ul>
            {row.errors.map(({ column, message }) => {
              // The message quotes the cell's content.
              const quoted = /[‘'](.+)[’']/.exec(message)?.[1]
              return (
                <li key={`${column} ${message}`} className="import-error" data-verbatim={quoted}>
                  {column ? <code translate="no">{column}</code> : null} {message}
                  {column === 'category' && quoted ? <CategoryHint text={quoted} /> : null}
                </li>
              )
            })}
            {row.changes.map(({ column, before, after, pictures = [] }) => (
              <li key={column}>
                <code translate="no">{column}</code>{' '}
                {pictures.map(({ key, image, imageSet }) => (
                  <img
                    key={key}
                    className="import-thumb"
                    src={image}
                    srcSet={imageSet}
                    sizes="48px"
                    width={48}
                    height={48}
                    alt=""
                    loading="lazy"
                  />
                ))}{' '}
                {pictures.length > 0 ? (
                  <span translate="no">{after}</span>
                ) : row.kind === 'add' ? (
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
    <div className="catalogue-table-skeleton skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className="skeleton" />
      ))}
    </div>
  )
}
