import { useState } from 'react'
import { ApiError, errorCode } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { MY_ORDERS_KEY, type Order } from '@/features/orders/api'
import { ordersApi } from '@/features/orders/mutations'
import { paymentMessage } from '@/features/orders/payment-messages'
import { redirectToWallet } from '@/features/orders/redirect-to-wallet'
import { type MessageId, messageText, type RawText, useLang, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { useBusy } from '@/ui/use-busy'

const REFUSALS = {
  not_payable: 'orders.payRefused.not_payable',
  online_payment_unavailable: 'orders.payRefused.online_payment_unavailable',
  out_of_stock: 'orders.payRefused.out_of_stock',
} satisfies Record<string, MessageId>

/** The server's English message names what is missing; it has no Nepali product names. */
function problemOf(error: unknown, lang: string): MessageId | RawText {
  const code = errorCode(error) ?? ''
  if (lang === 'en' && code === 'out_of_stock' && error instanceof ApiError && error.message)
    return error.message as RawText
  const known = REFUSALS[code as keyof typeof REFUSALS]
  return known ?? (error instanceof ApiError ? REFUSALS.not_payable : 'orders.payError')
}

/** The state of an online order's payment and the link to the wallet, on opened and closed cards. */
export function OrderPayment({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const online = useOnline()
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const words = paymentMessage(order)

  const pay = () =>
    run(async () => {
      setProblem(null)
      try {
        const { payment_url } = await ordersApi.pay(order._id)
        if (payment_url) await redirectToWallet(payment_url, order.paymentMethod)
        // The order may have been paid while the page and its stream were suspended.
        void queryClient.invalidateQueries({ queryKey: MY_ORDERS_KEY })
      } catch (error) {
        if (handleSessionEnded(error)) return
        setProblem(problemOf(error, lang))
        if (error instanceof ApiError) void queryClient.invalidateQueries({ queryKey: MY_ORDERS_KEY })
      }
    })

  return (
    <div className="order-payment" data-testid="order-payment">
      {words ? <p>{t(words, { provider: order.paymentMethod })}</p> : null}
      {order.canPay ? (
        <button
          type="button"
          className="button button-primary"
          disabled={busy || !online}
          aria-busy={busy}
          aria-label={t('orders.payNowFor', { id: order.orderId })}
          onClick={() => void pay()}
        >
          {busy ? <span className="spinner" /> : null}
          {t('orders.payNow')}
        </button>
      ) : null}
      {problem ? (
        <p className="order-warning" role="alert" data-testid="pay-problem">
          {messageText(problem)}
        </p>
      ) : null}
    </div>
  )
}
