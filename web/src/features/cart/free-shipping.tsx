import { type FreeShipping, freeShipping, freeShippingPercent } from '@/features/cart/quote'
import { useRates } from '@/features/shop/rules'
import { useLang, useT } from '@/lib/i18n'
import { formatAmount, type Paisa } from '@/lib/money'

/** Without a subtotal (prices are still loading) the bar keeps its space and shows no text. */
export function FreeShippingProgress({ subtotal }: { subtotal: Paisa | undefined }) {
  const t = useT()
  const lang = useLang()
  const rates = useRates()
  const sentence = (free: FreeShipping) => {
    switch (free.state) {
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
