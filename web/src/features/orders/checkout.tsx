import '@/styles/checkout.css'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasSessionHint, prefetchSession, type User, useUser } from '@/features/accounts/session'
import { CartLines } from '@/features/cart/cart-lines'
import { CartNotices } from '@/features/cart/cart-notices'
import { FreeShippingProgress } from '@/features/cart/free-shipping'
import type { Quote } from '@/features/cart/quote'
import { QuoteSummary } from '@/features/cart/quote-summary'
import type { CartLine } from '@/features/cart/use-cart-lines'
import type { PlaceOrderRequest } from '@/features/orders/api'
import { DeliveryAddress, type Destination, useDestination } from '@/features/orders/delivery-address'
import { type Missing, OrderBar } from '@/features/orders/order-bar'
import { methodOf, PAY_CASH, PaymentChoice } from '@/features/orders/payment-choice'
import { useOwnHolds } from '@/features/orders/use-own-holds'
import { loadPlaceOrder, type usePlaceOrder } from '@/features/orders/use-place-order'
import { useQuote } from '@/features/orders/use-quote'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useOnline } from '@/lib/use-online'

type CheckoutProps = {
  lines: CartLine[]
  computed: Quote
  computedAt: number
  order: ReturnType<typeof usePlaceOrder>
}

/** The cart with all steps to the order on one page: lines, delivery address, payment method and total. */
export function Checkout({ lines, computed, computedAt, order }: CheckoutProps) {
  const t = useT()
  const { user, pending } = useUser()
  const { waiting, ...destination } = useDestination(user)
  const [payment, setPayment] = useState(PAY_CASH)
  const figures = useQuote(computed, computedAt, order.problem?.quote)
  const own = useOwnHolds(lines, computedAt, user)
  const left = new Map(order.problem?.products?.map(({ _id, available }) => [_id, available]))
  const method = methodOf(payment)
  const sold = lines.filter(({ product }) => product)
  const known = lines.every(({ product }) => product !== undefined)
  const missing: Missing[] = [
    ...(destination.to ? [] : ['address' as const]),
    ...(method ? [] : ['provider' as const]),
  ]

  useEffect(() => {
    void prefetchSession('user')
  }, [])

  const signedIn = user !== null
  const online = useOnline()
  useEffect(() => {
    // It is not loaded offline: some browsers never request a module again that failed once.
    if (signedIn && online) void loadPlaceOrder().catch(() => {})
  }, [signedIn, online])

  const place = () => {
    if (!user || !destination.to || !method) return
    void order.place(bodyOf({ lines: sold, figures, to: destination.to, method, user }))
  }

  return (
    <div className="cart-columns">
      <div className="cart-left">
        <CartNotices />
        <CartLines lines={own.lines} left={left} />
        {own.used ? (
          <div className="cart-notice" data-testid="own-hold">
            <p>
              {t('cart.ownHold')}{' '}
              <Link className="link" to={paths.orders}>
                {t('cart.toOrders')}
              </Link>
            </p>
          </div>
        ) : null}
        <FreeShippingProgress subtotal={figures.subtotal} />
        <DeliveryAddress {...destination} />
        <PaymentChoice payment={payment} total={figures.total} onChange={setPayment} />
      </div>
      <section className="box summary" aria-labelledby="summary">
        <h2 id="summary">{t('cart.summary')}</h2>
        <QuoteSummary quote={figures} />
        <OrderBar
          total={figures.total}
          missing={missing}
          busy={order.busy}
          ready={sold.length > 0 && known && !waiting}
          problem={order.problem}
          visitor={!user && !(pending && hasSessionHint('user'))}
          onPlace={place}
        />
      </section>
    </div>
  )
}

type Ordered = { lines: CartLine[]; figures: Quote; to: Destination; method: string; user: User }

/**
 * Serialises equal orders equally (lines sorted by id), because the fingerprint decides whether two orders are the
 * same.
 */
function bodyOf({ lines, figures, to, method, user }: Ordered): PlaceOrderRequest {
  return {
    items: lines
      .map(({ id, quantity }) => ({ id, quantity }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
    address: to.line,
    ...(to.id ? { addressId: to.id } : {}),
    totalAmount: figures.total / 100,
    shippingFee: figures.shippingFee / 100,
    tax: figures.tax / 100,
    paymentMethod: method,
    name: user.name,
    email: user.email,
    phone: to.phone,
  }
}
