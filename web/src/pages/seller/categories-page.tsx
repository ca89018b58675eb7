import '@/styles/forms.css'
import '@/styles/seller-products.css'
import '@/styles/seller-product-forms.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { CatalogueTableSkeleton } from '@/features/catalogue/seller/catalogue-table'
import {
  refetchCategories,
  type SellerCategory,
  sellerCategories,
} from '@/features/catalogue/seller/categories-api'
import { CategoryForm } from '@/features/catalogue/seller/category-form'
import { CategoryTable } from '@/features/catalogue/seller/category-table'
import { DeleteCategory } from '@/features/catalogue/seller/delete-category'
import { useRowDialogs } from '@/features/catalogue/seller/use-row-dialogs'
import { NoMatch } from '@/features/staff/no-match'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useOnline } from '@/lib/use-online'
import { PlusIcon } from '@/ui/icons'
import { GridIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SearchField } from '@/ui/search-field'
import { StatePanel } from '@/ui/state-panel'
import { useDebouncedSearchParam } from '@/ui/use-debounced-search-param'

export function SellerCategoriesPage() {
  const t = useT()
  const online = useOnline()
  usePageTitle(t('nav.categories'))
  const query = useQuery(sellerCategories())
  const [search, change] = useSearchText()
  const [text, setText] = useDebouncedSearchParam(search, change)
  const found = query.data && filterCategories(query.data, search)
  const dialogs = useRowDialogs<SellerCategory, SellerCategory | 'new'>(found, refetchCategories)
  const { editing, setEditing, deleting } = dialogs
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])

  const add = (
    <button
      type="button"
      className="button button-primary"
      disabled={!online}
      title={online ? undefined : t('form.offline')}
      onClick={() => setEditing('new')}
    >
      <PlusIcon />
      {t('seller.categories.add')}
    </button>
  )
  return (
    <>
      <div className="seller-title">
        <h1>{t('nav.categories')}</h1>
      </div>
      <div className="list-tools">
        <SearchField
          label={t('seller.categories.search')}
          hint={t('seller.categories.search')}
          text={text}
          onChange={setText}
        />
        {add}
      </div>
      <p className="muted list-facts" role="status" data-testid="count">
        {found ? t('seller.categories.count', { n: found.length }) : ''}
      </p>
      <LoadState
        query={{ ...query, data: found }}
        problem="seller.categories.loadFailed"
        skeleton={<CatalogueTableSkeleton />}
      >
        {(list) =>
          list.length > 0 ? (
            <CategoryTable
              categories={list}
              flashing={dialogs.flashing}
              onEdit={setEditing}
              onDelete={dialogs.setDeleting}
            />
          ) : search ? (
            <NoMatch title={t('seller.categories.noMatch', { text: search })} onClear={() => setText('')} />
          ) : (
            <StatePanel
              icon={<GridIcon size={36} />}
              title={t('seller.categories.none')}
              text={t('seller.categories.noneText')}
            />
          )
        }
      </LoadState>
      {editing ? (
        <CategoryForm
          category={editing === 'new' ? null : editing}
          onSaved={dialogs.saved}
          onClose={dialogs.close}
        />
      ) : null}
      {deleting ? (
        <DeleteCategory category={deleting} onDeleted={dialogs.deleted} onClose={dialogs.close} />
      ) : null}
    </>
  )
}

/** A shop has dozens of categories, so they are all loaded and searched here, in both languages. */
export function filterCategories(categories: SellerCategory[], search: string): SellerCategory[] {
  const wanted = search.toLowerCase()
  return categories.filter(({ name, nameNe, description, descriptionNe }) =>
    [name, nameNe, description, descriptionNe].some((text) => text?.toLowerCase().includes(wanted)),
  )
}

function useSearchText() {
  const navigate = useNavigate()
  const { search = '' } = useSearch({ strict: false }) as { search?: unknown }
  const change = (text: string) =>
    void navigate({
      to: paths.sellerCategories,
      search: (text ? { search: text } : {}) as never,
      replace: true,
      resetScroll: false,
    })
  return [String(search), change] as const
}
