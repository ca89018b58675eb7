import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { countItems, useCart } from '@/features/cart/cart-store'
import { useCartSync } from '@/features/cart/use-cart-sync'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { announce } from '@/ui/announcer'
import { CartIcon } from '@/ui/icons'

const MAX_SHOWN = 99
const SETTLE_MS = 600

export function CartLink() {
  const t = useT()
  const lang = useLang()
  const count = countItems(useCart())
  useAnnouncedCount(count)
  useCartSync()
  const shown = count > MAX_SHOWN ? `${formatNumber(MAX_SHOWN, lang)}+` : formatNumber(count, lang)
  return (
    <Link className="icon-button cart-link" to={paths.cart} aria-label={t('cart.link', { n: count })}>
      <CartIcon size={26} />
      {count > 0 ? (
        <span className="cart-count" data-testid="cart-count" key={count}>
          {shown}
        </span>
      ) : null}
    </Link>
  )
}

/** Announces several quick presses on + once. */
function useAnnouncedCount(count: number) {
  const t = useT()
  const settled = useDebounced(count, SETTLE_MS)
  const said = useRef(settled)
  useEffect(() => {
    if (said.current === settled) return
    said.current = settled
    announce(t('cart.announce', { n: settled }))
  }, [settled, t])
}
