import { type FreeShipping, freeShipping, freeShippingPercent } from '@/features/cart/quote'
import type { Rates } from '@/features/shop/rules'
import { useLang, useT } from '@/lib/i18n'
import { formatAmount, type Paisa } from '@/lib/money'

/** Without a subtotal (prices are still loading) the bar keeps its space and shows no text. */
export function FreeShippingProgress({ subtotal, rates }: { subtotal: Paisa | undefined; rates: Rates }) {
  const t = useT()
  const lang = useLang()
  if (rates.shippingFee > 0 && rates.freeShippingAbove === null) return null
  const sentence = (free: FreeShipping) => {
    switch (free.state) {
      case 'never':
        return ''
      case 'yes':
        return t('cart.freeShippingReached')
      case 'any':
        return t('cart.freeShippingAny')
      case 'more':
        return t('cart.freeShippingMore', { x: formatAmount(free.missing, lang, 'always') })
    }
  }
  return (
    <div className="free-shipping">
      <progress
        max={100}
        value={subtotal === undefined ? 0 : freeShippingPercent(subtotal, rates)}
        aria-label={t('cart.progress')}
      />
      <small>{subtotal === undefined ? '\u00a0' : sentence(freeShipping(subtotal, rates))}</small>
    </div>
  )
}
