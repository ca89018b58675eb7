import '@/styles/wishlist.css'
import { useMark } from '@/features/wishlist/use-mark'
import { useT } from '@/lib/i18n'
import { BellIcon } from '@/ui/icons-wishlist'

/** Offers a message when a sold-out product is back. */
export function StockNotice({ productId }: { productId: string }) {
  const t = useT()
  const { marked, toggle } = useMark('stockNotices', productId)
  return (
    <>
      <button type="button" className="button button-outline" aria-pressed={marked} onClick={toggle}>
        <BellIcon />
        {t('stockNotice.ask')}
      </button>
      <p className="meta" role="status">
        {marked ? t('stockNotice.waiting') : ''}
      </p>
    </>
  )
}
