import '@/styles/forms.css'
import '@/styles/seller-products.css'
import '@/styles/seller-product-forms.css'
import '@/styles/seller-import.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { CSV_FIELD, CsvField } from '@/features/catalogue/seller/csv-field'
import { ExportButton } from '@/features/catalogue/seller/export-button'
import { type Import, importQueries } from '@/features/catalogue/seller/import-api'
import { ImportCard } from '@/features/catalogue/seller/import-card'
import { ImportHelp } from '@/features/catalogue/seller/import-help'
import { RecentImports } from '@/features/catalogue/seller/recent-imports'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { loadWithMessages, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { UploadIcon } from '@/ui/icons-catalogue'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

/** Loads with the groceries, which most imports do not need. */
const StarterForm = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/catalogue/seller/starter-form',
        () => import('@/features/catalogue/seller/starter-form'),
      )
    ).StarterForm,
  <div className="skeleton import-skeleton" aria-hidden="true" />,
)

/** Imports many products from a spreadsheet. The id of the import is in the address, so that it survives a reload. */
export function ImportPage() {
  const t = useT()
  usePageTitle(t('seller.imports.title'))
  const navigate = useNavigate()
  const { id = '', starter = '' } = useSearch({ strict: false }) as { id?: string; starter?: string }
  const before = useRef(id)
  // When the seller leaves an import to choose another file, the focus moves to the file field.
  useEffect(() => {
    if (!id && before.current) document.getElementById(CSV_FIELD)?.focus()
    before.current = id
  }, [id])
  const follow = ({ _id }: Import) =>
    void navigate({ to: paths.sellerImport, search: { id: _id } as never, resetScroll: false })
  return (
    <>
      <Link className="link back-link" to={paths.seller}>
        {t('seller.imports.backToProducts')}
      </Link>
      <div className="seller-title">
        <h1>{t('seller.imports.title')}</h1>
        <ExportButton />
      </div>
      {id ? (
        <OneImport key={id} id={id} />
      ) : (
        <div className="import-start">
          {starter ? <StarterForm onSent={follow} /> : null}
          <p>{t('seller.imports.intro')}</p>
          <CsvField onSent={follow} />
          <ImportHelp />
          {starter ? null : (
            <Link className="link starter-link" to={paths.sellerImport} search={{ starter: 'yes' } as never}>
              {t('seller.imports.starter')}
            </Link>
          )}
        </div>
      )}
      <RecentImports />
    </>
  )
}

function OneImport({ id }: { id: string }) {
  const t = useT()
  const query = useQuery(importQueries.one(id))
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const again = (
    <Link className="button button-outline" to={paths.sellerImport} search={{} as never}>
      {t('seller.imports.another')}
    </Link>
  )
  return (
    <LoadState
      query={query}
      problem="seller.imports.loadFailed"
      skeleton={<div className="skeleton import-skeleton" />}
    >
      {(found) =>
        found ? (
          <ImportCard productImport={found} again={again} />
        ) : (
          <StatePanel
            icon={<UploadIcon size={36} />}
            title={t('seller.imports.notFound')}
            text={t('seller.imports.notFoundText')}
            action={again}
          />
        )
      }
    </LoadState>
  )
}
