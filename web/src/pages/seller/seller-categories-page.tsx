import '@/styles/forms.css'
import '@/styles/seller-products.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  askCategoriesAgain,
  type SellerCategory,
  sellerCategories,
} from '@/features/catalogue/seller-categories-api'
import { CategoryForm } from '@/features/catalogue/seller-category-form'
import { CategoryTable } from '@/features/catalogue/seller-category-table'
import { DeleteCategory } from '@/features/catalogue/seller-delete-category'
import { useRowDialogs } from '@/features/catalogue/seller-row-dialogs'
import { ShelfSkeleton } from '@/features/catalogue/seller-shelf-table'
import { OrderSearch } from '@/features/orders/order-search'
import { sellerEnded } from '@/features/orders/seller-ended'
import { NoMatch } from '@/features/seller/seller-no-match'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useOnline } from '@/lib/use-online'
import { PlusIcon } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useTypedAddress } from '@/ui/use-typed-address'

export function SellerCategoriesPage() {
  const t = useT()
  const online = useOnline()
  usePageTitle(t('nav.categories'))
  const query = useQuery(sellerCategories())
  const [search, change] = useSearchText()
  const [text, setText] = useTypedAddress(search, change)
  const found = query.data && matching(query.data, search)
  const dialogs = useRowDialogs<SellerCategory, SellerCategory | 'new'>(found, askCategoriesAgain)
  const { editing, setEditing, deleting } = dialogs
  useEffect(() => sellerEnded(query.error), [query.error])

  const add = (
    <button
      type="button"
      className="button button-primary"
      disabled={!online}
      title={online ? undefined : t('form.offline')}
      onClick={() => setEditing('new')}
    >
      <PlusIcon />
      {t('scat.add')}
    </button>
  )
  return (
    <>
      <div className="seller-title">
        <h1>{t('nav.categories')}</h1>
      </div>
      <div className="list-tools">
        <OrderSearch label={t('scat.search')} hint={t('scat.search')} text={text} onChange={setText} />
        {add}
      </div>
      <p className="muted list-facts" role="status" data-testid="count">
        {found ? t('scat.count', { n: found.length }) : ''}
      </p>
      <LoadState of={{ ...query, data: found }} problem="scat.loadFailed" skeleton={<ShelfSkeleton />}>
        {(list) =>
          list.length > 0 ? (
            <CategoryTable
              categories={list}
              flashing={dialogs.flashing}
              onEdit={setEditing}
              onDelete={dialogs.setDeleting}
            />
          ) : search ? (
            <NoMatch title={t('scat.noMatch', { text: search })} onClear={() => setText('')} />
          ) : (
            <StatePanel title={t('scat.none')} text={t('scat.noneText')} />
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

/** A shop has dozens of categories, not thousands: they are all here, and searched here, in both languages. */
export function matching(categories: SellerCategory[], search: string): SellerCategory[] {
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
