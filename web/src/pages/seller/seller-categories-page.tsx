import '@/styles/forms.css'
import '@/styles/seller-products.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import {
  askCategoriesAgain,
  type SellerCategory,
  sellerCategories,
} from '@/features/catalogue/seller-categories-api'
import { CategoryForm } from '@/features/catalogue/seller-category-form'
import { CategoryTable, editCategoryId } from '@/features/catalogue/seller-category-table'
import { DeleteCategory } from '@/features/catalogue/seller-delete-category'
import { useFlash } from '@/features/catalogue/seller-flash'
import { useTypedAddress } from '@/features/catalogue/seller-typed'
import { OrderSearch } from '@/features/orders/order-search'
import { sellerEnded } from '@/features/orders/seller-ended'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useOnline } from '@/lib/use-online'
import { PlusIcon } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

export function SellerCategoriesPage() {
  const t = useT()
  const online = useOnline()
  usePageTitle(t('nav.categories'))
  const query = useQuery(sellerCategories())
  const [search, change] = useSearchText()
  const [text, setText] = useTypedAddress(search, change)
  const [editing, setEditing] = useState<SellerCategory | 'new' | null>(null)
  const [deleting, setDeleting] = useState<SellerCategory | null>(null)
  const [flashing, flash] = useFlash()
  useEffect(() => sellerEnded(query.error), [query.error])

  const found = query.data && matching(query.data, search)
  const close = (stale: boolean) => {
    setEditing(null)
    setDeleting(null)
    if (stale) void askCategoriesAgain()
  }
  const deleted = () => {
    const at = found?.findIndex(({ _id }) => _id === deleting?._id) ?? -1
    const next = found?.[at + 1] ?? found?.[at - 1]
    setDeleting(null)
    // After the dialog and the row are gone.
    setTimeout(() => document.getElementById(next ? editCategoryId(next) : 'main')?.focus())
  }
  const clear = () => {
    setText('')
    // The button that was pressed is about to go.
    document.querySelector<HTMLElement>('.seller-main [type="search"]')?.focus()
  }
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
      <LoadState of={{ ...query, data: found }} problem="scat.loadFailed" skeleton={<RowsSkeleton />}>
        {(list) =>
          list.length > 0 ? (
            <CategoryTable categories={list} flashing={flashing} onEdit={setEditing} onDelete={setDeleting} />
          ) : search ? (
            <StatePanel
              title={t('scat.noMatch', { text: search })}
              action={
                <button type="button" className="button button-outline" onClick={clear}>
                  {t('seller.clear')}
                </button>
              }
            />
          ) : (
            <StatePanel title={t('scat.none')} text={t('scat.noneText')} />
          )
        }
      </LoadState>
      {editing ? (
        <CategoryForm
          category={editing === 'new' ? null : editing}
          onSaved={(category) => {
            setEditing(null)
            flash(category._id)
          }}
          onClose={close}
        />
      ) : null}
      {deleting ? <DeleteCategory category={deleting} onDeleted={deleted} onClose={close} /> : null}
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

function RowsSkeleton() {
  return (
    <div className="shelf-blank skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="skeleton" data-testid="row-skeleton" />
      ))}
    </div>
  )
}
