import '@/styles/payment.css'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { LoginButton } from '@/features/accounts/account-corner'
import { useUser } from '@/features/accounts/session'
import { useCart } from '@/features/cart/cart-store'
import type { Paid } from '@/features/payments/api'
import { followPayment, type Outcome, type WayOn, wayOn } from '@/features/payments/follow-payment'
import { refusalText } from '@/features/payments/refusal-text'
import { hideReturned, type Returned, takeReturned } from '@/features/payments/returned'
import { settings } from '@/lib/first-data'
import { type MessageId, say, useLang, useT } from '@/lib/i18n'
import { formatMoney, formatNumber, localDigits, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { AlertIcon } from '@/ui/icons'
import { CheckCircleIcon, CopyIcon, CrossCircleIcon } from '@/ui/icons-orders'
import { usePageTitle } from '@/ui/page-title'
import { openDialogs, toast } from '@/ui/toast'

const TITLES = {
  verifying: 'paystate.verifying',
  success: 'paystate.success',
  error: 'paystate.error',
  cancelled: 'paystate.cancelled',
} satisfies Record<Outcome['is'], MessageId>

/** Where the wallet sends people back to: whether it worked, and where to go from here. */
export function PaymentPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('paystate.title'))
  const [returned] = useState(takeReturned)
  useEffect(() => hideReturned(returned), [returned])
  const outcome = usePayment(returned)
  const [staying, setStaying] = useState(false)
  const way = staying ? null : wayOn(outcome)
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state says its own heading; so does a stopped clock
  useEffect(() => heading.current?.focus(), [outcome.is, staying])
  // Whoever has opened the login, or the menu, is busy here.
  const busy = openDialogs.use().length > 0
  useEffect(() => {
    if (busy) setStaying(true)
  }, [busy])

  return (
    <div className="wrap page payment-page">
      <div className="box payment-card" data-testid="payment-state" data-state={outcome.is}>
        <div
          key={outcome.is}
          role={outcome.is === 'error' ? 'alert' : 'status'}
          aria-busy={outcome.is === 'verifying'}
          className="payment-said"
        >
          <StateIcon of={outcome.is} />
          <h1 ref={heading} tabIndex={-1}>
            {t(TITLES[outcome.is])}
          </h1>
          <Explanation outcome={outcome} />
          {way ? <p className="sr-only">{t(GOING[way.to], { n: formatNumber(way.seconds, lang) })}</p> : null}
        </div>
        {outcome.is === 'success' && outcome.paid ? <Facts paid={outcome.paid} returned={returned} /> : null}
        {outcome.is === 'error' ? <Support pidx={returned.pidx} /> : null}
        <WaysOut outcome={outcome} />
        {way ? (
          <Clock
            key={`${outcome.is}-clock`}
            way={way}
            hash={outcome.is === 'success' ? outcome.paid?.orderId : undefined}
            onStay={() => setStaying(true)}
          />
        ) : null}
      </div>
    </div>
  )
}

/** What became of the payment; the cart and the orders follow it. */
function usePayment(returned: Returned): Outcome {
  const [outcome, setOutcome] = useState<Outcome>({ is: 'verifying' })
  const { user } = useUser()
  const [asker, setAsker] = useState('')
  // A yes without an order says more once somebody has signed in here.
  const arrived = outcome.is === 'success' && !outcome.paid ? user?._id : undefined
  useEffect(() => {
    if (arrived) setAsker(arrived)
  }, [arrived])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever signs in asks anew
  useEffect(
    () =>
      followPayment(returned, (next) => {
        setOutcome(next)
        if (next.is === 'error' && next.refusal) toast.error(refusalText(next.refusal))
        void settle(next).catch(() => {})
      }),
    [returned, asker],
  )
  return outcome
}

/** Not fetched with the page. Where it cannot be fetched, the cart is read anew with the next page anyway. */
async function settle(outcome: Outcome) {
  if (outcome.is === 'verifying' || (outcome.is === 'error' && !outcome.refusal)) return
  const { paymentArrived, paymentEnded } = await import('@/features/orders/settled')
  if (outcome.is === 'success') paymentArrived()
  else paymentEnded()
}

function StateIcon({ of }: { of: Outcome['is'] }) {
  return (
    <span className={`payment-icon payment-icon-${of}`}>
      {of === 'verifying' ? (
        <span className="spinner" />
      ) : of === 'success' ? (
        <CheckCircleIcon size={40} />
      ) : of === 'error' ? (
        <AlertIcon size={40} />
      ) : (
        <CrossCircleIcon size={40} />
      )}
    </span>
  )
}

function Explanation({ outcome }: { outcome: Outcome }) {
  const t = useT()
  const filled = Object.keys(useCart()).length > 0
  switch (outcome.is) {
    case 'verifying':
      return <p className="muted">{t('paystate.wait')}</p>
    case 'success':
      return <p className="muted">{t(outcome.paid ? 'paystate.thanks' : 'paystate.loginText')}</p>
    case 'error':
      return <p>{outcome.refusal ? say(refusalText(outcome.refusal)) : t('paystate.safe')}</p>
    case 'cancelled':
      return filled ? <p>{t('paystate.cartKept')}</p> : null
  }
}

function Facts({ paid, returned }: { paid: Paid; returned: Returned }) {
  const t = useT()
  const lang = useLang()
  const paisa = paid.amountPaisa ?? toPaisa(paid.amount)
  return (
    <dl className="payment-facts">
      <Fact name={t('paystate.orderId')}>
        <span translate="no">#{paid.orderId}</span>
      </Fact>
      <Fact name={t('paystate.tracking')}>
        <span translate="no">{paid.trackingNumber || returned.purchase_order_name}</span>
      </Fact>
      <Fact name={t('paystate.method')}>
        <span translate="no">{paid.paymentMethod}</span>
      </Fact>
      <Fact name={t('paystate.amount')}>
        <strong>{formatMoney(paisa, lang, 'always')}</strong>{' '}
        {t('paystate.paisa', { n: localDigits(String(paisa), lang) })}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Whom to ask, and the number by which the payment is found. */
function Support({ pidx }: { pidx: string }) {
  const t = useT()
  const { phone, email } = settings.contact
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(pidx)
      toast.success('paystate.copied')
    } catch {
      // Not allowed here: the number itself can still be marked and copied by hand.
    }
  }
  return (
    <div className="payment-support">
      <p>{t('paystate.support')}</p>
      {phone || email ? (
        <p className="payment-contact" translate="no">
          {phone ? (
            <a className="link" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
              {phone}
            </a>
          ) : null}
          {email ? (
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
          ) : null}
        </p>
      ) : null}
      {pidx ? (
        <p className="payment-number">
          <span className="muted">{t('paystate.number')}</span>
          <code translate="no">{pidx}</code>
          <button
            type="button"
            className="icon-button"
            aria-label={t('paystate.copy')}
            onClick={() => void copy()}
          >
            <CopyIcon />
          </button>
        </p>
      ) : null}
    </div>
  )
}

function WaysOut({ outcome }: { outcome: Outcome }) {
  const t = useT()
  const filled = Object.keys(useCart()).length > 0
  if (outcome.is === 'verifying') return null
  const stranger = outcome.is === 'success' && !outcome.paid
  return (
    <div className="payment-ways">
      {stranger ? (
        <LoginButton look="button button-primary" />
      ) : outcome.is === 'cancelled' && filled ? (
        <Link className="button button-primary" to={paths.cart}>
          {t('paystate.toCart')}
        </Link>
      ) : (
        <Link
          className="button button-primary"
          to={paths.orders}
          {...(outcome.is === 'success' && outcome.paid ? { hash: outcome.paid.orderId } : {})}
        >
          {t('paystate.toOrders')}
        </Link>
      )}
      <Link className="button button-outline" to={paths.home}>
        {t('paystate.toHome')}
      </Link>
    </div>
  )
}

const GOING = { home: 'paystate.goingHome', orders: 'paystate.goingOrders' } satisfies Record<
  WayOn['to'],
  MessageId
>

type ClockProps = { way: WayOn; hash: string | undefined; onStay: () => void }

/** Counts down in sight and then leads on. Screen readers have heard it once, with the state. */
function Clock({ way: { to, seconds }, hash, onStay }: ClockProps) {
  const t = useT()
  const lang = useLang()
  const navigate = useNavigate()
  const [left, setLeft] = useState(seconds)
  const leave = useRef(() => {})
  // In the place of this page: whoever goes back does not want to be counted down again.
  leave.current = () => void navigate({ to: paths[to], replace: true, ...(hash ? { hash } : {}) })
  useEffect(() => {
    const end = setTimeout(() => leave.current(), seconds * 1000)
    const tick = setInterval(() => setLeft((known) => Math.max(1, known - 1)), 1000)
    return () => {
      clearTimeout(end)
      clearInterval(tick)
    }
  }, [seconds])
  return (
    <div className="payment-clock">
      <p aria-hidden="true">{t(GOING[to], { n: formatNumber(left, lang) })}</p>
      <button type="button" className="link" onClick={onStay}>
        {t('paystate.stay')}
      </button>
    </div>
  )
}
