import { useEffect, useRef } from 'react'
import { cartStore, MAX_QUANTITY, maxLines, useQuantity } from '@/features/cart/cart-store'
import type { Product } from '@/features/catalogue/api'
import { type RawText, t, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { MinusIcon, PlusIcon } from '@/ui/icons'
import { toast } from '@/ui/toast'

/** Adds the product and shows a toast, also when the cart is full. */
export function addMany(product: Product, quantity: number) {
  if (cartStore.add(product.id, quantity, product.stock) > 0) toast.success('cart.toast.added')
  else if (!cartStore.read()[product.id]) toast.error(t('cart.full', { n: maxLines() }) as RawText)
}

/** Whether the cart holds as many pieces as one order can have. */
export const isFull = ({ stock }: Product, quantity: number) => quantity >= Math.min(stock, MAX_QUANTITY)

function addOne(product: Product) {
  addMany(product, 1)
}

/** Lets the picture of the card fly to the cart, unless the device is set to reduced motion. */
function showFlight(button: HTMLElement, tappedAt: number) {
  const picture = button.closest('.card')?.querySelector('.picture')
  if (picture && !matchMedia('(prefers-reduced-motion: reduce)').matches)
    // Without the file or the animation the product is in the cart all the same.
    import('@/features/cart/fly-to-cart').then((part) => part.flyToCart(picture, tappedAt)).catch(() => {})
}

export function removeOne(product: Product) {
  cartStore.removeOne(product.id)
  toast.success('cart.toast.removed')
}

/**
 * The button 'Add to Cart' on a card, which turns into − quantity + in place, so that shopping needs no page change.
 */
export function AddToCart({ product, nameId }: { product: Product; nameId: string }) {
  const t = useT()
  const quantity = useQuantity(product.id)
  const add = useRef<HTMLButtonElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const focusNext = useRef<'add' | 'more' | null>(null)

  // The pressed button has just been replaced, and keyboard users must not lose their place on the page.
  useEffect(() => {
    const target = focusNext.current === 'more' ? more : focusNext.current === 'add' ? add : null
    focusNext.current = null
    target?.current?.focus()
  })

  if (quantity === 0) {
    return (
      <button
        ref={add}
        type="button"
        className="add"
        disabled={product.stock <= 0}
        aria-label={t('product.add')}
        aria-describedby={nameId}
        onClick={({ currentTarget, timeStamp }) => {
          focusNext.current = 'more'
          addOne(product)
          if (cartStore.read()[product.id]) showFlight(currentTarget, timeStamp)
        }}
      >
        {t('product.addShort')}
      </button>
    )
  }
  return (
    <CartStepper
      product={product}
      quantity={quantity}
      moreRef={more}
      onLess={() => {
        if (quantity === 1) focusNext.current = 'add'
        removeOne(product)
      }}
    />
  )
}

type CartStepperProps = {
  product: Product
  quantity: number
  moreRef?: React.Ref<HTMLButtonElement>
  lessRef?: React.Ref<HTMLButtonElement>
  onLess?: () => void
}

export function CartStepper({ product, quantity, moreRef, lessRef, onLess }: CartStepperProps) {
  const t = useT()
  const lang = useLang()
  const name = localText(product, 'name', lang)
  const full = isFull(product, quantity)
  return (
    <div className="stepper" role="group" aria-label={name}>
      <button
        ref={lessRef}
        type="button"
        aria-label={t('cart.decrease', { name })}
        onClick={onLess ?? (() => removeOne(product))}
      >
        <MinusIcon />
      </button>
      <span className="stepper-value">{formatNumber(quantity, lang)}</span>
      <button
        ref={moreRef}
        type="button"
        aria-label={t('cart.increase', { name })}
        // The `disabled` attribute would drop the keyboard focus when the last piece is added.
        aria-disabled={full}
        onClick={() => {
          if (!full) addOne(product)
        }}
      >
        <PlusIcon />
      </button>
    </div>
  )
}
