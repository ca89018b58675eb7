import '@/styles/seller-products.css'
import { Link } from '@tanstack/react-router'
import { personKey } from '@/features/accounts/person'
import { AddProduct } from '@/features/catalogue/seller-add-product'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { usePageTitle } from '@/ui/page-title'

const DRAFT = personKey('new-product')

export function AddProductPage() {
  const t = useT()
  usePageTitle(t('seller.addNew'))
  return (
    <div className="desk-page">
      <Link className="link back-link" to={paths.seller}>
        {t('seller.list')}
      </Link>
      <h1>{t('seller.addNew')}</h1>
      <AddProduct draftKey={DRAFT} />
    </div>
  )
}
