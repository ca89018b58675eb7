import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { BillSummary } from '@/features/cart/bill-summary'
import { CartLines } from '@/features/cart/cart-lines'
import { FreeShippingProgress } from '@/features/cart/free-shipping'
import { type CartLine, useCartLines } from '@/features/cart/use-cart-lines'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

export function CartPage() {
  const t = useT()
  usePageTitle(t('cart.title'))
  const { ids, query, lines, bill } = useCartLines()
  const hadLines = useRef(false)
  if (ids.length > 0) hadLines.current = true
  return (
    <div className="wrap page">
      {ids.length === 0 ? (
        <EmptyCart takeFocus={hadLines.current} />
      ) : (
        <>
          <h1>{t('cart.title')}</h1>
          <LoadState
            of={{ ...query, data: lines && bill ? { lines, bill } : undefined }}
            problem="cart.loadProblem"
            skeleton={<LinesSkeleton lines={ids.length} />}
          >
            {(cart) => <FilledCart {...cart} />}
          </LoadState>
        </>
      )}
    </div>
  )
}

type FilledCartProps = { lines: CartLine[]; bill: NonNullable<ReturnType<typeof useCartLines>['bill']> }

function FilledCart({ lines, bill }: FilledCartProps) {
  const t = useT()
  return (
    <div className="cart-columns">
      <CartLines lines={lines} />
      <section className="box" aria-labelledby="summary">
        <h2 id="summary">{t('cart.summary')}</h2>
        <FreeShippingProgress subtotal={bill.subtotal} />
        <BillSummary bill={bill} />
        <div className="notice">
          <p className="notice-title">{t('cart.soon.title')}</p>
          <p>{t('cart.soon.text')}</p>
        </div>
      </section>
    </div>
  )
}

/** Takes the focus when the last line was just removed; on a fresh page the route change does it. */
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
          <div key={line} className="cart-line cart-line-blank skeleton" />
        ))}
      </div>
      <div className="box cart-blank skeleton" />
    </div>
  )
}
