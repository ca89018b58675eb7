import '@/styles/payment.css'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { LoginButton } from '@/features/accounts/header-account'
import { useUser } from '@/features/accounts/session'
import { useCart } from '@/features/cart/cart-store'
import type { PaymentInfo } from '@/features/payments/api'
import { paymentErrorText } from '@/features/payments/payment-error-text'
import {
  type PaymentOutcome,
  pollPayment,
  type Redirect,
  redirectFor,
} from '@/features/payments/poll-payment'
import { hideWalletReturn, readWalletReturn, type WalletReturn } from '@/features/payments/wallet-return'
import { settings } from '@/lib/first-data'
import { loadWithMessages, type MessageId, messageText, useLang, useT } from '@/lib/i18n'
import { formatMoney, formatNumber, localDigits, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { AlertIcon } from '@/ui/icons'
import { CheckCircleIcon, CopyIcon, CrossCircleIcon } from '@/ui/icons-orders'
import { usePageTitle } from '@/ui/page-title'
import { openDialogs, toast } from '@/ui/toast'

const TITLES = {
  verifying: 'payment.verifying',
  success: 'payment.success',
  error: 'payment.error',
  cancelled: 'payment.cancelled',
} satisfies Record<PaymentOutcome['is'], MessageId>

/** The page that the wallet redirects to: it shows the result and leads on. */
export function PaymentPage() {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('payment.title'))
  const [returned] = useState(readWalletReturn)
  useEffect(() => hideWalletReturn(returned), [returned])
  const outcome = usePayment(returned)
  const [staying, setStaying] = useState(false)
  const redirect = staying ? null : redirectFor(outcome)
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state says its own heading; so does a stopped clock
  useEffect(() => heading.current?.focus(), [outcome.is, staying])
  // A shopper who has opened the login or the menu is busy on this page.
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
          className="payment-message"
        >
          <StateIcon outcome={outcome.is} />
          <h1 ref={heading} tabIndex={-1}>
            {t(TITLES[outcome.is])}
          </h1>
          <Explanation outcome={outcome} />
          {redirect ? (
            <p className="sr-only">{t(GOING[redirect.to], { n: formatNumber(redirect.seconds, lang) })}</p>
          ) : null}
        </div>
        {outcome.is === 'success' && outcome.paid ? <Facts paid={outcome.paid} returned={returned} /> : null}
        {outcome.is === 'error' ? <Support pidx={returned.pidx} /> : null}
        <PaymentActions outcome={outcome} />
        {redirect ? (
          <Countdown
            key={`${outcome.is}-clock`}
            redirect={redirect}
            hash={outcome.is === 'success' ? outcome.paid?.orderId : undefined}
            onStay={() => setStaying(true)}
          />
        ) : null}
      </div>
    </div>
  )
}

/** Follows the payment; the cart and the orders are refreshed with its outcome. */
function usePayment(returned: WalletReturn): PaymentOutcome {
  const [outcome, setOutcome] = useState<PaymentOutcome>({ is: 'verifying' })
  const { user } = useUser()
  const [asker, setAsker] = useState('')
  // A success without an order has more details once the shopper has signed in.
  const arrived = outcome.is === 'success' && !outcome.paid ? user?._id : undefined
  useEffect(() => {
    if (arrived) setAsker(arrived)
  }, [arrived])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sign-in verifies the payment again
  useEffect(
    () =>
      pollPayment(returned, (next) => {
        setOutcome(next)
        if (next.is === 'error' && next.refusal) toast.error(paymentErrorText(next.refusal))
        void refreshAfterPayment(next).catch(() => {})
      }),
    [returned, asker],
  )
  return outcome
}

/** Loaded on demand. If it fails to load, the next page reads the cart again anyway. */
async function refreshAfterPayment(outcome: PaymentOutcome) {
  if (outcome.is === 'verifying' || (outcome.is === 'error' && !outcome.refusal)) return
  const { onPaymentReceived, onPaymentEnded } = await loadWithMessages(
    'features/orders/payment-settled',
    () => import('@/features/orders/payment-settled'),
  )
  if (outcome.is === 'success') onPaymentReceived()
  else onPaymentEnded()
}

function StateIcon({ outcome }: { outcome: PaymentOutcome['is'] }) {
  return (
    <span className={`payment-icon payment-icon-${outcome}`}>
      {outcome === 'verifying' ? (
        <span className="spinner" />
      ) : outcome === 'success' ? (
        <CheckCircleIcon size={40} />
      ) : outcome === 'error' ? (
        <AlertIcon size={40} />
      ) : (
        <CrossCircleIcon size={40} />
      )}
    </span>
  )
}

function Explanation({ outcome }: { outcome: PaymentOutcome }) {
  const t = useT()
  const filled = Object.keys(useCart()).length > 0
  switch (outcome.is) {
    case 'verifying':
      return <p className="muted">{t('payment.wait')}</p>
    case 'success':
      return <p className="muted">{t(outcome.paid ? 'payment.thanks' : 'payment.loginText')}</p>
    case 'error':
      return <p>{outcome.refusal ? messageText(paymentErrorText(outcome.refusal)) : t('payment.safe')}</p>
    case 'cancelled':
      return (
        <>
          <p>{t('payment.notCharged')}</p>
          {filled ? <p>{t('payment.cartUnchanged')}</p> : null}
        </>
      )
  }
}

function Facts({ paid, returned }: { paid: PaymentInfo; returned: WalletReturn }) {
  const t = useT()
  const lang = useLang()
  const paisa = paid.amountPaisa ?? toPaisa(paid.amount)
  return (
    <dl className="payment-facts">
      <Fact name={t('payment.orderId')}>
        <span translate="no">#{paid.orderId}</span>
      </Fact>
      <Fact name={t('payment.tracking')}>
        <span translate="no">{paid.trackingNumber || returned.purchase_order_name}</span>
      </Fact>
      <Fact name={t('payment.method')}>
        <span translate="no">{paid.paymentMethod}</span>
      </Fact>
      <Fact name={t('payment.amount')}>
        <strong>{formatMoney(paisa, lang, 'always')}</strong>{' '}
        <small className="muted">{t('payment.paisa', { n: localDigits(String(paisa), lang) })}</small>
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

/** The contact and the number by which the shop finds the payment. */
function Support({ pidx }: { pidx: string }) {
  const t = useT()
  const { phone, email } = settings.contact
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(pidx)
      toast.success('payment.copied')
    } catch {
      // The clipboard is not available; the number can still be selected and copied by hand.
    }
  }
  return (
    <div className="payment-support">
      <p>{t('payment.support')}</p>
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
          <span className="muted">{t('payment.number')}</span>
          <code translate="no">{pidx}</code>
          <button
            type="button"
            className="icon-button"
            aria-label={t('payment.copy')}
            onClick={() => void copy()}
          >
            <CopyIcon />
          </button>
        </p>
      ) : null}
    </div>
  )
}

function PaymentActions({ outcome }: { outcome: PaymentOutcome }) {
  const t = useT()
  const filled = Object.keys(useCart()).length > 0
  if (outcome.is === 'verifying') return null
  const stranger = outcome.is === 'success' && !outcome.paid
  return (
    <div className="payment-actions">
      {stranger ? (
        <LoginButton className="button button-primary" />
      ) : outcome.is === 'cancelled' && filled ? (
        <Link className="button button-primary" to={paths.cart}>
          {t('payment.toCart')}
        </Link>
      ) : (
        <Link
          className="button button-primary"
          to={paths.orders}
          {...(outcome.is === 'success' && outcome.paid ? { hash: outcome.paid.orderId } : {})}
        >
          {t('payment.toOrders')}
        </Link>
      )}
      <Link className="button button-outline" to={paths.home}>
        {t('payment.toHome')}
      </Link>
    </div>
  )
}

const GOING = { home: 'payment.goingHome', orders: 'payment.goingOrders' } satisfies Record<
  Redirect['to'],
  MessageId
>

type CountdownProps = { redirect: Redirect; hash: string | undefined; onStay: () => void }

/** Counts down visibly and then redirects. Screen readers announce it once, with the state. */
function Countdown({ redirect: { to, seconds }, hash, onStay }: CountdownProps) {
  const t = useT()
  const lang = useLang()
  const navigate = useNavigate()
  const [left, setLeft] = useState(seconds)
  const leave = useRef(() => {})
  // Replaces this page in the history, so that Back does not restart the countdown.
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
    <div className="payment-countdown">
      <p aria-hidden="true">{t(GOING[to], { n: formatNumber(left, lang) })}</p>
      <button type="button" className="link" onClick={onStay}>
        {t('payment.stay')}
      </button>
    </div>
  )
}
