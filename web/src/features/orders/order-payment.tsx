import { useState } from 'react'
import { codeOf, Refusal } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { endedElsewhere } from '@/features/accounts/person'
import { MINE, type Order } from '@/features/orders/api'
import { ordersApi } from '@/features/orders/change-api'
import { paymentWords } from '@/features/orders/payment-words'
import { goToWallet } from '@/features/orders/to-wallet'
import { type MessageId, type RawText, say, useLang, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { useBusy } from '@/ui/use-busy'

const REFUSALS = {
  not_payable: 'orders.payNo.not_payable',
  online_payment_unavailable: 'orders.payNo.online_payment_unavailable',
  out_of_stock: 'orders.payNo.out_of_stock',
} satisfies Record<string, MessageId>

/** In English the server's own words name what is missing; they know no Nepali names. */
function problemOf(error: unknown, lang: string): MessageId | RawText {
  const code = codeOf(error) ?? ''
  if (lang === 'en' && code === 'out_of_stock' && error instanceof Refusal && error.message)
    return error.message as RawText
  const known = REFUSALS[code as keyof typeof REFUSALS]
  return known ?? (error instanceof Refusal ? REFUSALS.not_payable : 'orders.payError')
}

/** On an online order's card, folded or not: how far the payment is, and the way to it. */
export function OrderPayment({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const online = useOnline()
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const words = paymentWords(order)

  const pay = () =>
    run(async () => {
      setProblem(null)
      try {
        const { payment_url } = await ordersApi.pay(order._id)
        if (payment_url) await goToWallet(payment_url, order.paymentMethod)
        // Perhaps it has been paid meanwhile, and the stream was asleep with the page.
        void queryClient.invalidateQueries({ queryKey: MINE })
      } catch (error) {
        if (endedElsewhere(error)) return
        setProblem(problemOf(error, lang))
        if (error instanceof Refusal) void queryClient.invalidateQueries({ queryKey: MINE })
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
          {say(problem)}
        </p>
      ) : null}
    </div>
  )
}
