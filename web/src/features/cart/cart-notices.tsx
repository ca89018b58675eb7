import { droppedText } from '@/features/cart/dropped-text'
import { cartNotices } from '@/features/cart/notices'
import { useLang, useT } from '@/lib/i18n'
import { CloseIcon } from '@/ui/icons'

/** Changes to the cart that the shopper did not make, shown until the shopper closes them. */
export function CartNotices() {
  const t = useT()
  const lang = useLang()
  return cartNotices.use().map((notice) => (
    <div key={notice.kind} className={`cart-notice cart-notice-${notice.kind}`} data-testid="cart-notice">
      <p>{notice.kind === 'merged' ? t('cart.merged') : droppedText(notice.products, lang, t)}</p>
      <button
        type="button"
        className="icon-button"
        aria-label={t('shell.close')}
        onClick={() => cartNotices.set(cartNotices.read().filter((each) => each !== notice))}
      >
        <CloseIcon />
      </button>
    </div>
  ))
}
