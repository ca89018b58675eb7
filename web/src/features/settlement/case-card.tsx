import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { useCaseText } from '@/features/orders/seller/order-cases'
import { StatusBadge } from '@/features/orders/status'
import { type Case, type CasePayment, casesApi } from '@/features/settlement/cases-api'
import { paymentStateMessage, walletStatusMessage } from '@/features/settlement/payment-messages'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, type RawText, useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { useOnline } from '@/lib/use-online'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { AlertIcon } from '@/ui/icons'
import { CheckCircleIcon } from '@/ui/icons-orders'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const ADVICE = {
  amount_mismatch: 'seller.cases.advice.amount_mismatch',
  cancelled_after_dispatch: 'seller.cases.advice.cancelled_after_dispatch',
  cash_and_wallet: 'seller.cases.advice.cash_and_wallet',
  late_payment: 'seller.cases.advice.late_payment',
  paid_twice: 'seller.cases.advice.paid_twice',
  payment_pending_long: 'seller.cases.advice.payment_pending_long',
  refund_failed: 'seller.cases.advice.refund_failed',
  returned_at_door: 'seller.cases.advice.returned_at_door',
  refunded_outside: 'seller.cases.advice.refunded_outside',
  reopened_after_refund: 'seller.cases.advice.reopened_after_refund',
  reopened_unpaid: 'seller.cases.advice.reopened_unpaid',
  reopened_without_stock: 'seller.cases.advice.reopened_without_stock',
  shipped_unpaid: 'seller.cases.advice.shipped_unpaid',
  transaction_reused: 'seller.cases.advice.transaction_reused',
  wallet_unclear: 'seller.cases.advice.wallet_unclear',
  wallet_unknown_payment: 'seller.cases.advice.wallet_unknown_payment',
} satisfies Record<string, MessageId>

/** Whether the seller can refund the payment: the shop has the money, and no automatic refund will return it. */
const canRefund = ({ state, transactionId, refund }: CasePayment) =>
  refund === 'manual' || (refund === null && state === 'conflict' && transactionId !== null)

/** Explains a case, what can safely be done about it, and offers the buttons for that. */
export function CaseCard({
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
        handleSellerSessionEnded(error)
        const refused = error instanceof ApiError
        toast.error(
          refused && error.message
            ? (error.message as RawText)
            : refused
              ? 'seller.cases.noLongerPossible'
              : 'seller.cases.unreachable',
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
            {t(closedAt ? 'seller.cases.handledAt' : 'seller.cases.openSince', {
              when: formatDateTime(closedAt ?? openedAt, lang),
            })}
          </p>
        </div>
      </div>
      {kind in ADVICE && !closedAt ? (
        <p className="case-advice">
          <strong>{t('seller.cases.adviceLabel')}</strong> {t(ADVICE[kind as keyof typeof ADVICE])}
        </p>
      ) : null}
      <p className="case-order">
        <Link className="link" to={paths.sellerOrders} hash={order.orderId} translate="no">
          #{order.orderId}
        </Link>
        <StatusBadge status={order.status} />
        <strong>{money(order.total)}</strong>
        <span translate="no">{order.name}</span>
        <a className="link" href={`tel:${toDialledPhone(order.phone)}`} translate="no">
          {formatPhone(order.phone)}
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
            onClick={() => void act(() => casesApi.check(order._id), 'seller.cases.checked')}
          >
            {busy && !refunding ? <span className="spinner" /> : null}
            {t('seller.cases.check')}
          </button>
        ) : null}
        {may('close') ? (
          <button
            type="button"
            className="button button-outline"
            disabled={!ready}
            onClick={() => void act(() => casesApi.close(_id), 'seller.cases.markedHandled')}
          >
            {t('seller.cases.markHandled')}
          </button>
        ) : null}
      </div>
      {refunding ? (
        <ConfirmDialog
          id="refund"
          title={t('seller.cases.refundTitle')}
          text={t(refunding.refund === 'manual' ? 'seller.cases.refundAgain' : 'seller.cases.refundText', {
            amount: money(refunding.received ?? refunding.amount),
            id: order.orderId,
            name: order.name,
            provider: order.paymentMethod,
          })}
          confirm={t('seller.cases.refundAction')}
          busy={busy}
          onConfirm={() => void act(() => casesApi.refund(refunding._id), 'seller.cases.refunding')}
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

/** Every payment that was started for the order. On phones each row is a small list. */
function Payments({ payments, money, ready, onRefund }: PaymentsProps) {
  const t = useT()
  const lang = useLang()
  const words = (id: MessageId | null, code: string) => (id ? t(id) : code)
  return (
    <table className="case-payments">
      <caption className="sr-only">{t('seller.cases.payments')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('seller.cases.payment')}</th>
          <th scope="col">{t('seller.cases.amount')}</th>
          <th scope="col">{t('seller.cases.received')}</th>
          <th scope="col">{t('seller.cases.walletStatusLabel')}</th>
          <th scope="col">{t('seller.cases.checkedAt')}</th>
          <th scope="col">{t('seller.cases.refundLabel')}</th>
        </tr>
      </thead>
      <tbody>
        {payments.map((payment) => {
          const { _id, pidx, transactionId, amount, received, state, walletStatus, checkedAt, refund } =
            payment
          return (
            <tr key={_id} data-testid="case-payment">
              <th scope="row">
                {words(paymentStateMessage(state), state)}
                <code translate="no">{transactionId ?? pidx ?? ''}</code>
              </th>
              <td data-label={t('seller.cases.amount')}>{money(amount)}</td>
              <td data-label={t('seller.cases.received')} data-odd={received !== null && received !== amount}>
                {received === null ? '–' : money(received)}
              </td>
              <td data-label={t('seller.cases.walletStatusLabel')}>
                {walletStatus ? words(walletStatusMessage(walletStatus), walletStatus) : '–'}
              </td>
              <td data-label={t('seller.cases.checkedAt')}>
                {checkedAt ? formatDateTime(checkedAt, lang) : '–'}
              </td>
              <td data-label={t('seller.cases.refundLabel')}>
                {refund
                  ? words(paymentStateMessage(refund), refund)
                  : onRefund && canRefund(payment)
                    ? null
                    : '–'}
                {onRefund && canRefund(payment) ? (
                  <button
                    type="button"
                    className="button button-plain-danger"
                    disabled={!ready}
                    onClick={() => onRefund(payment)}
                  >
                    {t('seller.cases.refundAction')}
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
