import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { CartStepper, removeOne } from '@/features/cart/add-to-cart'
import { cartStore } from '@/features/cart/cart-store'
import type { CartLine } from '@/features/cart/use-cart-lines'
import type { Product } from '@/features/catalogue/api'
import { ProductPicture } from '@/features/catalogue/product-picture'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, formatRate, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { BinIcon } from '@/ui/icons'
import { toast } from '@/ui/toast'

/** `left` is the remaining stock per product that the server sent when it refused an order. */
export function CartLines({ lines, left }: { lines: CartLine[]; left: ReadonlyMap<string, number> }) {
  const list = useRef<HTMLUListElement>(null)
  const focusLine = useRef<number | null>(null)

  // When a line is removed, the focus moves to the line that took its place, or to the one above.
  useEffect(() => {
    if (focusLine.current === null) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-line-focus]')
    buttons?.item(Math.min(focusLine.current, buttons.length - 1))?.focus()
    focusLine.current = null
  })

  return (
    <ul className="cart-lines" ref={list}>
      {lines.map(({ product, ...line }, index) =>
        product === undefined ? (
          <li key={line.id} className="cart-line cart-line-skeleton skeleton" aria-hidden="true" />
        ) : (
          <CartLineRow
            key={line.id}
            line={{ ...line, product }}
            left={left.get(line.id)}
            onGone={() => {
              focusLine.current = index
            }}
          />
        ),
      )}
    </ul>
  )
}

type KnownLine = CartLine & { product: Product | null }
type CartLineRowProps = { line: KnownLine; left: number | undefined; onGone: () => void }

function CartLineRow({ line: { id, quantity, product }, left, onGone }: CartLineRowProps) {
  const t = useT()
  const lang = useLang()
  const name = product ? localText(product, 'name', lang) : t('cart.unknownProduct')
  const remove = () => {
    onGone()
    const place = Object.keys(cartStore.read()).indexOf(id)
    cartStore.removeLine(id)
    toast.success('cart.toast.lineRemoved', {
      label: 'cart.undo',
      run: () => {
        cartStore.putBack(id, quantity, place)
        // The pressed button disappeared with its toast.
        focusSoon(id)
      },
    })
  }
  const bin = (
    <button
      type="button"
      className="icon-button cart-line-remove"
      aria-label={t('cart.remove', { name })}
      {...(product ? {} : { 'data-line-focus': true })}
      onClick={remove}
    >
      <BinIcon />
    </button>
  )
  if (!product) {
    return (
      <li className="cart-line" data-testid="cart-line" data-line={id} data-gone="true">
        <div className="cart-line-picture" />
        <div className="cart-line-text">
          <p className="cart-line-name">{name}</p>
          <p className="meta">{t('cart.unavailable')}</p>
          <FixButton label={t('cart.removeLine')} name={name} onFix={remove} />
        </div>
        {bin}
      </li>
    )
  }
  const price = toPaisa(product.price)
  // The smaller figure is right: the page may have an older stock than the refused order.
  const stock = Math.max(0, Math.min(product.stock, left ?? product.stock))
  return (
    <li className="cart-line" data-testid="cart-line" data-line={id} aria-label={name}>
      <div className="cart-line-picture">
        <ProductPicture product={product} size="line" eager />
      </div>
      <div className="cart-line-text">
        <p className="cart-line-name">
          <Link
            to={paths.product}
            params={{ category: product.categorySlug, id: product.id }}
            lang={scriptLang(name, lang)}
          >
            {name}
          </Link>
        </p>
        <p className="meta">
          {product.unit ? `${localText(product.unit, 'label', lang)} · ` : null}
          {t('cart.each', { price: formatMoney(price, lang, 'always') })}
        </p>
        {product.soldByWeight ? (
          <p className="meta">
            {t('cart.weighed', { percent: formatRate(settings.rates.weightTolerance ?? 10, lang) })}
          </p>
        ) : null}
        {quantity <= stock ? null : stock > 0 ? (
          <>
            <p className="warning">{t('product.onlyAvailable', { n: formatNumber(stock, lang) })}</p>
            <FixButton
              label={t('cart.changeTo', { n: formatNumber(stock, lang) })}
              name={name}
              onFix={() => {
                cartStore.setQuantity(id, stock)
                // The pressed button has disappeared.
                focusSoon(id)
              }}
            />
          </>
        ) : (
          <>
            <p className="warning">{t('stock.out')}</p>
            <FixButton label={t('cart.removeLine')} name={name} onFix={remove} />
          </>
        )}
      </div>
      {bin}
      <div className="cart-line-stepper">
        <CartStepper
          product={product}
          quantity={quantity}
          lessRef={(button) => button?.setAttribute('data-line-focus', '')}
          onLess={() => {
            if (quantity === 1) onGone()
            removeOne(product)
          }}
        />
      </div>
      <strong className="cart-line-total">
        {product.soldByWeight ? t('cart.about') : null} {formatMoney(price * quantity, lang, 'always')}
      </strong>
    </li>
  )
}

/** Moves the focus after the line has been drawn again. */
function focusSoon(id: string) {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-line="${id}"] [data-line-focus]`)?.focus(),
  )
}

/** A button that corrects a line. Its accessible name contains the product, for users who cannot see its position. */
function FixButton({ label, name, onFix }: { label: string; name: string; onFix: () => void }) {
  return (
    <button type="button" className="link cart-line-fix" aria-label={`${label}: ${name}`} onClick={onFix}>
      {label}
    </button>
  )
}
