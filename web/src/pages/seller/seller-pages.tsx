import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type MessageId, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

/** What each page will hold comes with the issues that follow; until then it says so. */
function SoonPage({ title, action }: { title: MessageId; action?: ReactNode }) {
  const t = useT()
  usePageTitle(t(title))
  return (
    <>
      <div className="seller-title">
        <h1>{t(title)}</h1>
        {action}
      </div>
      <StatePanel title={t('seller.soon.title')} text={t('seller.soon.text')} />
    </>
  )
}

export function ProductListPage() {
  const t = useT()
  return (
    <SoonPage
      title="seller.list"
      action={
        <Link className="button button-primary" to={paths.sellerAddProduct}>
          {t('seller.addNew')}
        </Link>
      }
    />
  )
}

export function AddProductPage() {
  return <SoonPage title="seller.addNew" />
}

export function SellerCategoriesPage() {
  return <SoonPage title="nav.categories" />
}
