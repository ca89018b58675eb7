import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { addMany } from '@/features/cart/add-to-cart'
import { MAX_QUANTITY, useQuantity } from '@/features/cart/cart-store'
import type { Product } from '@/features/catalogue/api'
import { Price } from '@/features/catalogue/price'
import { useLang, useT } from '@/lib/i18n'
import { parseWholeNumber } from '@/lib/latin-digits'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { announce } from '@/ui/announcer'
import { MinusIcon, PlusIcon } from '@/ui/icons'

/** The product page's controls to choose a quantity and add it to the cart with one press and one message. */
export function BuyBox({ product }: { product: Product }) {
  const t = useT()
  const lang = useLang()
  const inCart = useQuantity(product.id)
  const free = Math.max(0, Math.min(product.stock, MAX_QUANTITY) - inCart)
  const [wanted, setWanted] = useState(1)
  const [typed, setTyped] = useState<string | null>(null)
  const quantity = Math.max(1, Math.min(wanted, free))
  const soldOut = free === 0

  // Another tab may have put the remaining stock into the cart.
  useEffect(() => {
    setWanted((current) => Math.max(1, Math.min(current, free)))
  }, [free])

  const choose = (next: number) => {
    const clamped = Math.max(1, Math.min(next, free))
    setWanted(clamped)
    announce(t('product.quantityIs', { n: formatNumber(clamped, lang) }))
  }
  const commit = () => {
    if (typed === null) return
    const next = parseWholeNumber(typed)
    setTyped(null)
    if (!Number.isNaN(next)) choose(next)
  }

  return (
    <div className="buy-box">
      <p className="buy-stock">
        <span>{t('product.available', { n: formatNumber(Math.max(0, product.stock), lang) })}</span>
        {inCart > 0 ? (
          <span>
            {t('product.inCart', { n: formatNumber(inCart, lang) })} ·{' '}
            <Link className="link" to={paths.cart}>
              {t('cart.view')}
            </Link>
          </span>
        ) : null}
      </p>
      {free > 0 && quantity >= free ? (
        <p className="meta" role="status">
          {t('product.onlyAvailable', { n: formatNumber(product.stock, lang) })}
        </p>
      ) : null}
      <div className="buy-bar">
        <div className="buy-price" aria-hidden="true">
          <Price rupees={product.price} />
        </div>
        <div className="stepper stepper-light" role="group" aria-label={t('product.quantity')}>
          <button
            type="button"
            aria-label={t('product.decrease')}
            disabled={soldOut}
            aria-disabled={quantity <= 1}
            onClick={() => choose(quantity - 1)}
          >
            <MinusIcon />
          </button>
          <input
            className="stepper-value"
            inputMode="numeric"
            aria-label={t('product.quantity')}
            disabled={soldOut}
            value={typed ?? formatNumber(quantity, lang)}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit()
            }}
          />
          <button
            type="button"
            aria-label={t('product.increase')}
            disabled={soldOut}
            aria-disabled={quantity >= free}
            onClick={() => choose(quantity + 1)}
          >
            <PlusIcon />
          </button>
        </div>
        <button
          type="button"
          className="button button-primary buy-add"
          disabled={soldOut}
          onClick={() => {
            addMany(product, quantity)
            setWanted(1)
          }}
        >
          {t('product.add')}
        </button>
      </div>
    </div>
  )
}
