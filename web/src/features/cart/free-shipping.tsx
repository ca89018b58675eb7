import '@/lib/bar-words'
import { type FreeShipping, freeShipping, freeShippingPercent } from '@/features/cart/quote'
import { useLang, useT } from '@/lib/i18n'
import { formatAmount, type Paisa } from '@/lib/money'

/** Without a subtotal (prices still on their way) it keeps its place and says nothing. */
export function FreeShippingProgress({ subtotal }: { subtotal: Paisa | undefined }) {
  const t = useT()
  const lang = useLang()
  const sentence = (free: FreeShipping) => {
    switch (free.state) {
      case 'yes':
        return t('cart.freeYes')
      case 'any':
        return t('cart.freeAny')
      case 'more':
        return t('cart.freeMore', { x: formatAmount(free.missing, lang, 'auto') })
    }
  }
  return (
    <div className="free-shipping">
      <progress
        max={100}
        value={subtotal === undefined ? 0 : freeShippingPercent(subtotal)}
        aria-label={t('cart.progress')}
      />
      <small>{subtotal === undefined ? '\u00a0' : sentence(freeShipping(subtotal))}</small>
    </div>
  )
}
