import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { LoginButton } from '@/features/accounts/header-account'
import type { OrderProblem } from '@/features/orders/order-problem'
import { type MessageId, messageText, useLang, useT } from '@/lib/i18n'
import { formatMoney, type Paisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { useOnline } from '@/lib/use-online'
import { toast } from '@/ui/toast'

/** What is missing before the order can be placed. */
export type Missing = 'address' | 'provider' | 'outside' | 'incomplete' | 'window' | 'minimum' | 'coupon'

const TEXTS = {
  address: { hint: 'cart.hint.address', error: 'cart.err.address', place: 'delivery' },
  provider: { hint: 'cart.hint.provider', error: 'cart.err.provider', place: 'payment' },
  outside: { hint: 'delivery.outside', error: 'delivery.err.outside', place: 'delivery' },
  incomplete: { hint: 'delivery.incomplete', error: 'delivery.incomplete', place: 'delivery-choice' },
  window: { hint: 'delivery.allFull', error: 'delivery.allFull', place: 'delivery-choice' },
  minimum: { hint: 'delivery.hint.minimum', error: 'delivery.err.minimum', place: 'cart-lines' },
  coupon: { hint: 'cart.hint.coupon', error: 'cart.hint.coupon', place: 'coupon' },
} satisfies Record<Missing, { hint: MessageId; error: MessageId; place: string }>

const SETTLE_MS = 600

type OrderBarProps = {
  total: Paisa
  missing: Missing[]
  /** The figures and names in the hints. */
  facts: { amount: string; places: string }
  busy: boolean
  /** There is something to order, and no pending request would change the order. */
  ready: boolean
  problem: OrderProblem | null
  /** The visitor is not logged in: the login comes first, and the order button is below it. */
  visitor: boolean
  onPlace: () => void
}

/** The total and the button: at the bottom of the screen on phones, in the summary otherwise. */
export function OrderBar({ total, missing, facts, busy, ready, problem, visitor, onPlace }: OrderBarProps) {
  const t = useT()
  const lang = useLang()
  const online = useOnline()
  const sum = formatMoney(total, lang, 'always')
  const settled = useDebounced(sum, SETTLE_MS)

  /** A disabled button cannot explain itself; a tap on it shows the reason and focuses the missing input. */
  const explain = () => {
    const [first] = missing
    if (busy || !first) return
    toast.error(TEXTS[first].error)
    const place = document.getElementById(TEXTS[first].place)
    place?.scrollIntoView({ block: 'center' })
    place?.querySelector<HTMLElement>('input, button, a')?.focus({ preventScroll: true })
  }

  // On a phone the floating button is far from its explanation.
  const why = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (problem) why.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  const press = (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the keyboard the hints above are the way
    <div className="order-submit" onClick={explain}>
      <button
        type="button"
        className={`button ${visitor ? 'button-outline' : 'button-primary'}`}
        disabled={busy || !ready || !online || missing.length > 0}
        aria-busy={busy}
        aria-describedby="order-hints"
        onClick={(event) => {
          event.stopPropagation()
          onPlace()
        }}
      >
        {busy ? <span className="spinner" /> : null}
        {t(busy ? 'cart.processing' : 'cart.placeOrder')}
      </button>
    </div>
  )

  return (
    <>
      {problem ? (
        <p ref={why} className="order-problem" role="alert" data-testid="order-problem">
          {messageText(problem.text)}{' '}
          {problem.code === 'too_many_unpaid' ? (
            <Link className="link" to={paths.orders}>
              {t('cart.toOrders')}
            </Link>
          ) : null}
        </p>
      ) : null}
      <div id="order-hints" className="order-hints" role="status">
        {missing.map((each) => (
          <p key={each}>{t(TEXTS[each].hint, facts)}</p>
        ))}
        {online ? null : <p>{t('offline.bar')}</p>}
      </div>
      <div className="order-bar">
        <p className="order-sum" aria-hidden="true">
          <small>{t('cart.total')}</small>
          <strong>{sum}</strong>
        </p>
        {visitor ? <LoginButton className="button button-primary" label="cart.loginToOrder" /> : press}
      </div>
      {visitor ? press : null}
      <p className="sr-only" aria-live="polite">
        {`${t('cart.total')}: ${settled}`}
      </p>
    </>
  )
}
