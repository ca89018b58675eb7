import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { CartNotices } from '@/features/cart/cart-notices'
import { useCartLines } from '@/features/cart/use-cart-lines'
import { Checkout } from '@/features/orders/checkout'
import { usePlaceOrder } from '@/features/orders/use-place-order'
import { useResumeOrder } from '@/features/orders/use-resume-order'
import { useFreshRules } from '@/features/shop/rules'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { CartIcon } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

export function CartPage() {
  const t = useT()
  usePageTitle(t('cart.title'))
  const { ids, query, lines, quote } = useCartLines()
  const order = usePlaceOrder()
  useResumeOrder(order.resume)
  useFreshRules()
  const hadLines = useRef(false)
  if (ids.length > 0) hadLines.current = true
  return (
    <div className="wrap page cart-page">
      {ids.length > 0 ? (
        <>
          <h1>{t('cart.title')}</h1>
          <LoadState
            query={{ ...query, data: lines && quote ? { lines, computed: quote } : undefined }}
            problem="cart.loadProblem"
            skeleton={<LinesSkeleton lines={ids.length} />}
          >
            {(cart) => <Checkout {...cart} computedAt={query.dataUpdatedAt} order={order} />}
          </LoadState>
        </>
      ) : order.busy ? (
        <div aria-busy="true">
          <StatePanel icon={<CartIcon size={36} />} heading="h1" title={t('order.checking')} />
        </div>
      ) : (
        <>
          <CartNotices />
          <EmptyCart takeFocus={hadLines.current} />
        </>
      )}
    </div>
  )
}

/** Takes the focus when the last line was just removed; on a new page the route change does that. */
function EmptyCart({ takeFocus }: { takeFocus: boolean }) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!takeFocus) return
    const heading = box.current?.querySelector('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus()
  }, [takeFocus])
  return (
    <div ref={box}>
      <StatePanel
        heading="h1"
        icon={<CartIcon size={36} />}
        title={t('cart.empty')}
        text={t('cart.emptyText')}
        action={
          <Link className="button button-primary" to={paths.products}>
            {t('cart.browse')}
          </Link>
        }
      />
    </div>
  )
}

function LinesSkeleton({ lines }: { lines: number }) {
  return (
    <div className="cart-columns skeleton-late" aria-hidden="true">
      <div className="cart-lines">
        {Array.from({ length: lines }, (_, line) => line).map((line) => (
          <div key={line} className="cart-line cart-line-skeleton skeleton" />
        ))}
      </div>
      <div className="box cart-skeleton skeleton" />
    </div>
  )
}
