import { Link } from '@tanstack/react-router'
import { countItems, useCart } from '@/features/cart/cart-store'
import { FreeShippingProgress } from '@/features/cart/free-shipping'
import { goodsWorth } from '@/features/cart/quote'
import { useCartLines } from '@/features/cart/use-cart-lines'
import { useRates } from '@/features/shop/rules'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney } from '@/lib/money'
import { paths } from '@/lib/paths'

/** On phones only: a bar with the cart's total and the distance to free shipping, always within reach of the thumb. */
export function CartBar() {
  const t = useT()
  const lang = useLang()
  const count = countItems(useCart())
  const { quote } = useCartLines()
  const rates = useRates()
  if (count === 0) return null
  return (
    <aside className="cart-bar" aria-label={t('cart.bar')}>
      <div className="cart-bar-text">
        <small>
          {t('cart.items', { n: count })}
          {quote ? ` · ${formatMoney(quote.subtotal, lang, 'always')}` : ''}
        </small>
        <FreeShippingProgress subtotal={quote && goodsWorth(quote, rates)} rates={rates} />
      </div>
      <Link className="button button-accent" to={paths.cart}>
        {t('cart.view')}
      </Link>
    </aside>
  )
}
