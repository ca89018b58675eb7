import '@/styles/packing.css'
import { useQuery } from '@tanstack/react-query'
import { serverText } from '@/api/server-text'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import type { Order } from '@/features/orders/api'
import type { PriceFormat } from '@/features/orders/order-parts'
import { answerQuestion, orderPacking, type PackingQuestion } from '@/features/packing/api'
import { PackedLine } from '@/features/packing/packed-line'
import { PackedSummary } from '@/features/packing/packed-summary'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, toPaisa } from '@/lib/money'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const PROBLEM = { refused: 'packing.answerFailed', broken: 'packing.answerFailed' } as const
/** The shop packs an order, and asks about it, before it is sent. */
const BEFORE_SENDING = ['Order Placed', 'Order Confirmed']

/** On the shopper's order: ordered against packed, and the shop's question. */
export function OrderPacking({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const isPacked = order.amountDue !== undefined
  const enabled = isPacked || BEFORE_SENDING.includes(order.status)
  const { data } = useQuery({ ...orderPacking(order._id), enabled })
  const price: PriceFormat = (rupees) => formatMoney(toPaisa(rupees), lang, 'auto')
  const isEstimate = !isPacked && enabled && order.items.some(({ stepGrams }) => stepGrams)
  return (
    <>
      {isEstimate ? <p className="meta">{t('packing.estimate')}</p> : null}
      {data?.question ? <Question order={order} question={data.question} price={price} /> : null}
      {data?.packing ? <PackedSummary packing={data.packing} price={price} /> : null}
    </>
  )
}

type QuestionProps = { order: Order; question: PackingQuestion; price: PriceFormat }

function Question({ order, question, price }: QuestionProps) {
  const t = useT()
  const lang = useLang()
  const [busy, run] = useBusy()
  const answer = (accepted: boolean) =>
    run(async () => {
      try {
        await answerQuestion(order._id, question._id, accepted)
        toast.success(accepted ? 'packing.accepted' : 'packing.declined')
      } catch (error) {
        if (!handleSessionEnded(error)) toast.error(serverText(error, PROBLEM))
      }
    })
  return (
    <section className="packed packed-question" data-testid="packing-question">
      <h3>{t('packing.question')}</h3>
      <ul className="packed-lines">
        {question.lines.map((line) => {
          const item = order.items.find(({ _id }) => _id === line.product)
          const name = item ? localText(item, 'name', lang) : ''
          return <PackedLine key={line.product} name={name} line={line} price={price} />
        })}
      </ul>
      <p>{t('packing.questionText', { total: price(question.total), ordered: price(order.total) })}</p>
      <div className="button-row">
        <button
          type="button"
          className="button button-primary"
          disabled={busy}
          onClick={() => void answer(true)}
        >
          {t('packing.accept', { total: price(question.total) })}
        </button>
        <button
          type="button"
          className="button button-outline"
          disabled={busy}
          onClick={() => void answer(false)}
        >
          {t('packing.decline')}
        </button>
      </div>
    </section>
  )
}
