import { useEffect, useId, useRef, useState } from 'react'
import { Refusal } from '@/api/client'
import type { Order } from '@/features/orders/api'
import { ordersApi, type StatusChange } from '@/features/orders/change-api'
import { putOrder } from '@/features/orders/put-order'
import { ALL } from '@/features/orders/seller-api'
import { sellerEnded } from '@/features/orders/seller-ended'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { toast } from '@/ui/toast'

/** Arrow keys pass over values on their way; only one that rests is meant. */
const PAUSE_MS = 400
/** A typed date is complete long before it is the right one. */
const DATE_PAUSE_MS = 900
const FIRST_YEAR = '2020'

type SellerStatusProps = { order: Order; wish?: string | null; onWishTaken?: () => void }

/** The status and the delivery day: both are sent by choosing, without a button. A `wish` was chosen by a key. */
export function SellerStatus({ order, wish = null, onWishTaken }: SellerStatusProps) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const online = useOnline()
  const text = useStatusText()
  const [picked, setPicked] = useState<StatusChange | null>(null)
  const [saving, setSaving] = useState(false)
  const [warning, setWarning] = useState({ text: '', lang })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const select = useRef<HTMLSelectElement>(null)
  /** What waits for its pause to end. A card that is closed before does not lose it. */
  const waiting = useRef<(() => void) | null>(null)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      waiting.current?.()
    },
    [],
  )

  /** `former` is what to send to take it back. */
  const save = async (change: StatusChange, former?: StatusChange) => {
    setSaving(true)
    try {
      const answer = await ordersApi.setStatus(order._id, change)
      putOrder(ALL, answer.data)
      setWarning({ text: answer.warning, lang })
      toast.success('sorder.ok', former && { label: 'sorder.undo', run: () => void save(former) })
    } catch (error) {
      toast.error(error instanceof Refusal ? 'sorder.failed' : 'sorder.updateError')
      sellerEnded(error)
    }
    // Either the new value has come back with the order, or the old one holds again.
    setPicked(null)
    setSaving(false)
  }

  const pick = (change: StatusChange, pause: number) => {
    const { status, deliveryDate } = order
    const wished = { ...picked, ...change }
    // What the order says already is no wish: kept, it would later be sent over what others have set meanwhile.
    const next: StatusChange = {}
    if (wished.status !== undefined && wished.status !== status) next.status = wished.status
    if (wished.deliveryDate !== undefined && wished.deliveryDate !== deliveryDate)
      next.deliveryDate = wished.deliveryDate
    setPicked(next)
    clearTimeout(timer.current)
    waiting.current = null
    // A date that is half typed or cleared is not sent, and holds nothing else up.
    const { deliveryDate: day = '', ...others } = next
    const sent: StatusChange = day >= FIRST_YEAR ? { ...others, deliveryDate: day } : others
    if (Object.keys(sent).length === 0) return
    const former: StatusChange = {
      ...(sent.status && { status }),
      ...(sent.deliveryDate && { deliveryDate }),
    }
    waiting.current = () => {
      waiting.current = null
      void save(sent, former)
    }
    timer.current = setTimeout(() => waiting.current?.(), pause)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a wish is taken once, when it comes
  useEffect(() => {
    if (!wish) return
    onWishTaken?.()
    if (!saving && online) pick({ status: wish }, PAUSE_MS)
  }, [wish])

  // Disabling drops the keyboard's place; it is given back when the answer is there.
  const hadFocus = useRef(false)
  useEffect(() => {
    if (saving || !hadFocus.current) return
    hadFocus.current = false
    if (document.activeElement === document.body) select.current?.focus()
  }, [saving])

  const status = picked?.status ?? order.status
  const date = picked?.deliveryDate ?? order.deliveryDate
  const options: string[] = STATUSES.some((each) => each === order.status)
    ? [...STATUSES]
    : [order.status, ...STATUSES]
  return (
    <div className="order-controls">
      <div className="field">
        <label htmlFor={`${id}-status`}>
          {t('sorder.status')}
          <span className="sr-only"> {t('sorder.statusOf', { id: order.orderId })}</span>
        </label>
        <select
          ref={select}
          id={`${id}-status`}
          className="input"
          aria-label={t('sorder.statusOf', { id: order.orderId })}
          value={status}
          disabled={saving || !online}
          aria-busy={saving}
          onChange={(event) => {
            hadFocus.current = true
            pick({ status: event.target.value }, PAUSE_MS)
          }}
        >
          {options.map((each) => (
            <option key={each} value={each}>
              {text(each)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-date`}>{t('orders.delivery')}</label>
        {/* The browser's own field knows no Bikram Sambat. */}
        {lang === 'ne' ? <p className="field-hint">{formatDate(date, lang)}</p> : null}
        <input
          id={`${id}-date`}
          className="input"
          type="date"
          aria-label={t('sorder.date', { id: order.orderId })}
          value={date}
          disabled={saving || !online}
          onChange={(event) => pick({ deliveryDate: event.target.value }, DATE_PAUSE_MS)}
        />
      </div>
      <p className="order-saving" role="status">
        {saving ? (
          <>
            <span className="spinner" /> {t('sorder.saving')}
          </>
        ) : null}
      </p>
      {/* The server's sentence, in the language of that moment; after a switch the open cases above say the same. */}
      {warning.text && warning.lang === lang ? (
        <p className="order-warning" role="alert">
          {warning.text}
        </p>
      ) : null}
    </div>
  )
}
