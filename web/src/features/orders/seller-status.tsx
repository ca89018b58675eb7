import { useEffect, useId, useRef, useState } from 'react'
import { Refusal } from '@/api/client'
import { ALL, type Order } from '@/features/orders/api'
import { ordersApi } from '@/features/orders/change-api'
import { putOrder } from '@/features/orders/put-order'
import { sellerEnded } from '@/features/orders/seller-ended'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { useLang, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { toast } from '@/ui/toast'

/** Arrow keys pass over values on their way; only one that rests is meant. */
const PAUSE_MS = 400
/** A typed date is complete long before it is the right one. */
const DATE_PAUSE_MS = 900
const FIRST_YEAR = '2020'

/** The status and the delivery day: both are sent by choosing, without a button. */
export function SellerStatus({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const online = useOnline()
  const text = useStatusText()
  const [picked, setPicked] = useState<{ status: string; deliveryDate: string } | null>(null)
  const [saving, setSaving] = useState(false)
  const [warning, setWarning] = useState('')
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

  const save = async (status: string, deliveryDate: string, undo: boolean) => {
    setSaving(true)
    const before = order
    try {
      const answer = await ordersApi.setStatus(
        order._id,
        status,
        deliveryDate === before.deliveryDate ? undefined : deliveryDate,
      )
      putOrder(ALL, answer.data)
      setWarning(answer.warning)
      toast.success(
        'sorder.ok',
        undo
          ? { label: 'sorder.undo', run: () => void save(before.status, before.deliveryDate, false) }
          : undefined,
      )
    } catch (error) {
      toast.error(error instanceof Refusal ? 'sorder.failed' : 'sorder.updateError')
      sellerEnded(error)
    }
    // Either the new value has come back with the order, or the old one holds again.
    setPicked(null)
    setSaving(false)
  }

  const pick = (change: Partial<{ status: string; deliveryDate: string }>, pause: number) => {
    const next = { status: order.status, deliveryDate: order.deliveryDate, ...picked, ...change }
    setPicked(next)
    clearTimeout(timer.current)
    waiting.current = null
    if (next.status === order.status && next.deliveryDate === order.deliveryDate) return
    if (next.deliveryDate < FIRST_YEAR) return
    waiting.current = () => {
      waiting.current = null
      void save(next.status, next.deliveryDate, true)
    }
    timer.current = setTimeout(() => waiting.current?.(), pause)
  }

  // Disabling drops the keyboard's place; it is given back when the answer is there.
  const hadFocus = useRef(false)
  useEffect(() => {
    if (saving || !hadFocus.current) return
    hadFocus.current = false
    if (document.activeElement === document.body) select.current?.focus()
  }, [saving])

  const status = picked?.status ?? order.status
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
        <input
          id={`${id}-date`}
          className="input"
          type="date"
          aria-label={t('sorder.date', { id: order.orderId })}
          value={picked?.deliveryDate ?? order.deliveryDate}
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
      {/* The server's own sentence; in Nepali the open cases above say the same. */}
      {warning && lang === 'en' ? (
        <p className="order-warning" role="alert">
          {warning}
        </p>
      ) : null}
    </div>
  )
}
