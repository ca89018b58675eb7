import '@/styles/checkout.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasSessionHint, prefetchSession, type User, useUser } from '@/features/accounts/session'
import { CartLines } from '@/features/cart/cart-lines'
import { CartNotices } from '@/features/cart/cart-notices'
import { FreeShippingProgress } from '@/features/cart/free-shipping'
import type { Quote } from '@/features/cart/quote'
import { goodsWorth } from '@/features/cart/quote'
import { QuoteSummary } from '@/features/cart/quote-summary'
import { type CartLine, quoteOf } from '@/features/cart/use-cart-lines'
import { useCoupon } from '@/features/cart/use-coupon'
import { deliveryOptions, ratesAt, type Slot, slotOf, zoneNames } from '@/features/delivery/api'
import type { PlaceOrderRequest } from '@/features/orders/api'
import { DeliveryAddress, type Destination, useDestination } from '@/features/orders/delivery-address'
import { type Missing, OrderBar } from '@/features/orders/order-bar'
import { type OrderNotes, orderNotes } from '@/features/orders/order-notes-store'
import { methodOf, PAY_CASH, PaymentChoice } from '@/features/orders/payment-choice'
import { useOwnHolds } from '@/features/orders/use-own-holds'
import { loadPlaceOrder, type usePlaceOrder } from '@/features/orders/use-place-order'
import { useQuote } from '@/features/orders/use-quote'
import { useRates } from '@/features/shop/rules'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney } from '@/lib/money'
import { paths } from '@/lib/paths'
import { useOnline } from '@/lib/use-online'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

/** A visitor needs neither, and a shop without zones has no delivery times. */
const DeliveryTime = lazyWithRetry(
  async () => (await import('@/features/delivery/delivery-time')).DeliveryTime,
)
const OrderNotesFields = lazyWithRetry(
  async () => (await import('@/features/orders/order-notes')).OrderNotesFields,
)

const CouponField = lazyWithRetry(async () => (await import('@/features/cart/coupon-field')).CouponField)

type CheckoutProps = {
  lines: CartLine[]
  computed: Quote
  computedAt: number
  order: ReturnType<typeof usePlaceOrder>
}

/** The cart with all steps to the order on one page: lines, delivery address, payment method and total. */
export function Checkout({ lines, computed, computedAt, order }: CheckoutProps) {
  const t = useT()
  const lang = useLang()
  const { user, pending } = useUser()
  const { waiting, ...destination } = useDestination(user)
  const [payment, setPayment] = useState(PAY_CASH)
  const notes = orderNotes.use()
  const addressId = destination.to?.id
  const asking = useQuery({
    ...deliveryOptions(addressId),
    enabled: user !== null && destination.to !== null && !waiting,
  })
  const options = asking.data
  const [chosen, setChosen] = useState<Slot | null>(null)
  const slot = slotOf(options, chosen)
  const rates = ratesAt(options, useRates())
  const cartQuote = useQuote(computed, computedAt, order.problem?.quote)
  // The server computes the cart for the default address; the chosen one may be in another zone.
  const coupon = useCoupon(lines, user !== null)
  const figures =
    coupon.prices || options?.coverage === 'zone' ? quoteOf(lines, rates, coupon.prices) : cartQuote
  const own = useOwnHolds(lines, computedAt, user)
  const left = new Map(order.problem?.products?.map(({ _id, available }) => [_id, available]))
  const method = methodOf(payment)
  const sold = lines.filter(({ product }) => product)
  const known = lines.every(({ product }) => product !== undefined)
  const missing: Missing[] = [
    ...(destination.to ? [] : ['address' as const]),
    ...(method ? [] : ['provider' as const]),
    ...(options?.coverage === 'outside' ? ['outside' as const] : []),
    ...(options?.coverage === 'incomplete' ? ['incomplete' as const] : []),
    ...(options?.hasWindows && !slot ? ['window' as const] : []),
    ...(figures.minimumMissing > 0 ? ['minimum' as const] : []),
    ...(coupon.problem ? ['coupon' as const] : []),
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
    void order.place(
      bodyOf({ lines: sold, figures, to: destination.to, method, user, slot, notes, code: coupon.code }),
    )
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
        <FreeShippingProgress subtotal={goodsWorth(figures, rates)} rates={rates} />
        <DeliveryAddress {...destination} />
        {options && options.coverage !== 'everywhere' ? (
          <DeliveryTime options={options} slot={slot} addressId={addressId} onChoose={setChosen} />
        ) : null}
        {user ? <OrderNotesFields lines={sold} /> : null}
        <PaymentChoice payment={payment} total={figures.total} onChange={setPayment} />
      </div>
      <section className="box summary" aria-labelledby="summary">
        <h2 id="summary">{t('cart.summary')}</h2>
        {user ? <CouponField coupon={coupon} /> : null}
        <QuoteSummary quote={figures} coupon={coupon.code} />
        <OrderBar
          total={figures.total}
          missing={missing}
          facts={{
            amount: formatMoney(figures.minimumMissing, lang, 'always'),
            places: options ? zoneNames(options, lang) : '',
          }}
          busy={order.busy}
          ready={sold.length > 0 && known && !waiting && !asking.isLoading && !coupon.pending}
          problem={order.problem}
          visitor={!user && !(pending && hasSessionHint('user'))}
          onPlace={place}
        />
      </section>
    </div>
  )
}

type Ordered = {
  lines: CartLine[]
  figures: Quote
  to: Destination
  method: string
  user: User
  slot: Slot | null
  notes: OrderNotes
  /** The coupon; empty without one. */
  code: string
}

/**
 * Serialises equal orders equally (lines sorted by id), because the fingerprint decides whether two orders are the
 * same.
 */
function bodyOf({ lines, figures, to, method, user, slot, notes, code }: Ordered): PlaceOrderRequest {
  const [noteShop, noteRider] = [notes.shop.trim(), notes.rider.trim()]
  return {
    items: lines
      .map(({ id, quantity }) => ({
        id,
        quantity,
        ...(notes.lines[id] ? { ifUnavailable: notes.lines[id] } : {}),
      }))
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
    ...(slot ? { deliveryWindow: slot.window, deliveryDay: slot.day } : {}),
    ...(noteShop ? { noteShop } : {}),
    ...(noteRider ? { noteRider } : {}),
    ...(notes.ifUnavailable ? { ifUnavailable: notes.ifUnavailable } : {}),
    ...(code ? { coupon: code } : {}),
  }
}
