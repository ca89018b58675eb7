import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Refusal } from '@/api/client'
import { useCaseText } from '@/features/orders/seller-attention'
import { type Case, type CasePayment, casesApi } from '@/features/orders/seller-cases-api'
import { sellerEnded } from '@/features/orders/seller-ended'
import { paymentStateWords, walletWords } from '@/features/orders/seller-payment-words'
import { StatusBadge } from '@/features/orders/status'
import { formatMoment } from '@/lib/dates-moment'
import { type MessageId, type RawText, useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { dialledPhone, shownPhone } from '@/lib/phone'
import { useOnline } from '@/lib/use-online'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { AlertIcon } from '@/ui/icons'
import { CheckCircleIcon } from '@/ui/icons-orders'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const SAFE = {
  amount_mismatch: 'scase.safe.amount_mismatch',
  cancelled_after_dispatch: 'scase.safe.cancelled_after_dispatch',
  late_payment: 'scase.safe.late_payment',
  paid_twice: 'scase.safe.paid_twice',
  payment_pending_long: 'scase.safe.payment_pending_long',
  refund_failed: 'scase.safe.refund_failed',
  refunded_outside: 'scase.safe.refunded_outside',
  reopened_after_refund: 'scase.safe.reopened_after_refund',
  reopened_unpaid: 'scase.safe.reopened_unpaid',
  reopened_without_stock: 'scase.safe.reopened_without_stock',
  shipped_unpaid: 'scase.safe.shipped_unpaid',
  transaction_reused: 'scase.safe.transaction_reused',
  wallet_unclear: 'scase.safe.wallet_unclear',
  wallet_unknown_payment: 'scase.safe.wallet_unknown_payment',
} satisfies Record<string, MessageId>

/** Money that is here, belongs to somebody else, and does not find its way back by itself. */
const canGoBack = ({ state, transactionId, refund }: CasePayment) =>
  refund === 'manual' || (refund === null && state === 'conflict' && transactionId !== null)

/** What happened, what is safe to do about it, and the buttons that do it. */
export function SellerCase({
  case: { _id, kind, openedAt, closedAt, order, payments, actions },
}: {
  case: Case
}) {
  const t = useT()
  const lang = useLang()
  const online = useOnline()
  const text = useCaseText()
  const [busy, run] = useBusy()
  const [refunding, setRefunding] = useState<CasePayment | null>(null)
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'always')

  const act = (work: () => Promise<void>, done: MessageId) =>
    run(async () => {
      try {
        await work()
        toast.success(done)
      } catch (error) {
        sellerEnded(error)
        const refused = error instanceof Refusal
        toast.error(
          refused && error.message ? (error.message as RawText) : refused ? 'scase.refused' : 'scase.broken',
        )
      }
      setRefunding(null)
    })
  const may = (action: string) => actions.includes(action)
  const ready = online && !busy

  return (
    <article
      className="case"
      data-testid="case"
      data-kind={kind}
      data-closed={closedAt !== null}
      aria-busy={busy}
    >
      <div className="case-head">
        {closedAt ? <CheckCircleIcon size={24} /> : <AlertIcon size={24} />}
        <div>
          <h2>{text(kind)}</h2>
          <p className="muted">
            {t(closedAt ? 'scase.closed' : 'scase.opened', {
              when: formatMoment(closedAt ?? openedAt, lang),
            })}
          </p>
        </div>
      </div>
      {kind in SAFE && !closedAt ? (
        <p className="case-safe">
          <strong>{t('scase.safeToDo')}</strong> {t(SAFE[kind as keyof typeof SAFE])}
        </p>
      ) : null}
      <p className="case-order">
        <Link className="link" to={paths.sellerOrders} hash={order.orderId} translate="no">
          #{order.orderId}
        </Link>
        <StatusBadge status={order.status} />
        <strong>{money(order.total)}</strong>
        <span translate="no">{order.name}</span>
        <a className="link" href={`tel:${dialledPhone(order.phone)}`} translate="no">
          {shownPhone(order.phone)}
        </a>
      </p>
      {payments.length > 0 ? (
        <Payments
          payments={payments}
          money={money}
          ready={ready}
          onRefund={may('refund') ? setRefunding : undefined}
        />
      ) : null}
      <div className="button-row">
        {may('check') ? (
          <button
            type="button"
            className="button button-outline"
            disabled={!ready}
            onClick={() => void act(() => casesApi.check(order._id), 'scase.checked')}
          >
            {busy && !refunding ? <span className="spinner" /> : null}
            {t('scase.check')}
          </button>
        ) : null}
        {may('close') ? (
          <button
            type="button"
            className="button button-outline"
            disabled={!ready}
            onClick={() => void act(() => casesApi.close(_id), 'scase.handled')}
          >
            {t('scase.handle')}
          </button>
        ) : null}
      </div>
      {refunding ? (
        <ConfirmDialog
          id="refund"
          title={t('scase.refundTitle')}
          text={t(refunding.refund === 'manual' ? 'scase.refundAgain' : 'scase.refundText', {
            amount: money(refunding.received ?? refunding.amount),
            id: order.orderId,
            name: order.name,
            provider: order.paymentMethod,
          })}
          confirm={t('scase.refundNow')}
          busy={busy}
          onConfirm={() => void act(() => casesApi.refund(refunding._id), 'scase.refunding')}
          onCancel={() => setRefunding(null)}
        />
      ) : null}
    </article>
  )
}

type PaymentsProps = {
  payments: CasePayment[]
  money: (rupees: number) => string
  ready: boolean
  onRefund: ((payment: CasePayment) => void) | undefined
}

/** Each payment that was ever begun for the order. On phones each row is a small list of its own. */
function Payments({ payments, money, ready, onRefund }: PaymentsProps) {
  const t = useT()
  const lang = useLang()
  const words = (id: MessageId | null, code: string) => (id ? t(id) : code)
  return (
    <table className="case-payments">
      <caption className="sr-only">{t('scase.payments')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('scase.payment')}</th>
          <th scope="col">{t('scase.amount')}</th>
          <th scope="col">{t('scase.received')}</th>
          <th scope="col">{t('scase.says')}</th>
          <th scope="col">{t('scase.checkedAt')}</th>
          <th scope="col">{t('scase.refundState')}</th>
        </tr>
      </thead>
      <tbody>
        {payments.map((payment) => {
          const { _id, pidx, transactionId, amount, received, state, walletStatus, checkedAt, refund } =
            payment
          return (
            <tr key={_id} data-testid="case-payment">
              <th scope="row">
                {words(paymentStateWords(state), state)}
                <code translate="no">{transactionId ?? pidx ?? ''}</code>
              </th>
              <td data-label={t('scase.amount')}>{money(amount)}</td>
              <td data-label={t('scase.received')} data-odd={received !== null && received !== amount}>
                {received === null ? '–' : money(received)}
              </td>
              <td data-label={t('scase.says')}>
                {walletStatus ? words(walletWords(walletStatus), walletStatus) : '–'}
              </td>
              <td data-label={t('scase.checkedAt')}>{checkedAt ? formatMoment(checkedAt, lang) : '–'}</td>
              <td data-label={t('scase.refundState')}>
                {refund
                  ? words(paymentStateWords(refund), refund)
                  : onRefund && canGoBack(payment)
                    ? null
                    : '–'}
                {onRefund && canGoBack(payment) ? (
                  <button
                    type="button"
                    className="button button-plain-danger"
                    disabled={!ready}
                    onClick={() => onRefund(payment)}
                  >
                    {t('scase.refundNow')}
                  </button>
                ) : null}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
