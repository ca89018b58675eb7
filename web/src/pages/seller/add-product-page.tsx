import '@/styles/seller-products.css'
import '@/styles/seller-product-forms.css'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { AddProduct } from '@/features/catalogue/seller/add-product'
import { sellerStorageKey } from '@/features/staff/storage'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { usePageTitle } from '@/ui/page-title'

export function AddProductPage() {
  const t = useT()
  usePageTitle(t('seller.nav.addProduct'))
  const [draftKey] = useState(() =>
    sellerStorageKey(queryClient.getQueryData(sessions.seller.queryKey), 'new-product'),
  )
  return (
    <div className="seller-form-page">
      <Link className="link back-link" to={paths.seller}>
        {t('seller.nav.products')}
      </Link>
      <h1>{t('seller.nav.addProduct')}</h1>
      <AddProduct draftKey={draftKey} />
    </div>
  )
}
