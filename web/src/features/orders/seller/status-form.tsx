import { useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import type { Order } from '@/features/orders/api'
import { ordersApi, type StatusChange } from '@/features/orders/mutations'
import { SELLER_ORDERS_KEY } from '@/features/orders/seller/orders-api'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { updateOrderInLists } from '@/features/orders/update-order-in-lists'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { toast } from '@/ui/toast'

/** Arrow keys pass over values; only a value that stays selected is sent. */
const PAUSE_MS = 400
/** A typed date is valid before it is complete. */
const DATE_PAUSE_MS = 900
const FIRST_YEAR = '2020'

type OrderStatusFormProps = { order: Order; pendingStatus?: string | null; onPendingStatusTaken?: () => void }

/** The status and the delivery date, which are sent when they are chosen. A keyboard shortcut sets `pendingStatus`. */
export function OrderStatusForm({ order, pendingStatus = null, onPendingStatusTaken }: OrderStatusFormProps) {
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
  /** The change that waits for its delay. It is sent at once when the card is closed. */
  const waiting = useRef<(() => void) | null>(null)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      waiting.current?.()
    },
    [],
  )

  /** `former` is the change that undoes this one. */
  const save = async (change: StatusChange, former?: StatusChange) => {
    setSaving(true)
    try {
      const answer = await ordersApi.setStatus(order._id, change)
      updateOrderInLists(SELLER_ORDERS_KEY, answer.data)
      setWarning({ text: answer.warning, lang })
      toast.success(
        'seller.orders.statusUpdated',
        former && { label: 'seller.orders.undo', run: () => void save(former) },
      )
    } catch (error) {
      toast.error(error instanceof ApiError ? 'seller.orders.statusFailed' : 'seller.orders.statusError')
      handleSellerSessionEnded(error)
    }
    // The order has the new value now, or the old one is valid again.
    setPicked(null)
    setSaving(false)
  }

  const pick = (change: StatusChange, pause: number) => {
    const { status, deliveryDate } = order
    const requested = { ...picked, ...change }
    // A value that the order already has is dropped, because it could later overwrite what another seller has set
    // since.
    const next: StatusChange = {}
    if (requested.status !== undefined && requested.status !== status) next.status = requested.status
    if (requested.deliveryDate !== undefined && requested.deliveryDate !== deliveryDate)
      next.deliveryDate = requested.deliveryDate
    setPicked(next)
    clearTimeout(timer.current)
    waiting.current = null
    // An incomplete or empty date is not sent and does not delay other changes.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: a pending status is applied once, when it arrives
  useEffect(() => {
    if (!pendingStatus) return
    onPendingStatusTaken?.()
    if (!saving && online) pick({ status: pendingStatus }, PAUSE_MS)
  }, [pendingStatus])

  // A disabled field loses the focus; it gets the focus back after the response.
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
          {t('seller.orders.status')}
          <span className="sr-only"> {t('seller.orders.statusOf', { id: order.orderId })}</span>
        </label>
        <select
          ref={select}
          id={`${id}-status`}
          className="input"
          aria-label={t('seller.orders.statusOf', { id: order.orderId })}
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
        {/* The browser's date field does not support Bikram Sambat. */}
        {lang === 'ne' ? <p className="field-hint">{formatDate(date, lang)}</p> : null}
        <input
          id={`${id}-date`}
          className="input"
          type="date"
          aria-label={t('seller.orders.deliveryDateOf', { id: order.orderId })}
          value={date}
          disabled={saving || !online}
          onChange={(event) => pick({ deliveryDate: event.target.value }, DATE_PAUSE_MS)}
        />
      </div>
      <p className="order-saving" role="status">
        {saving ? (
          <>
            <span className="spinner" /> {t('seller.orders.saving')}
          </>
        ) : null}
      </p>
      {/* The server's message is in the language of the request; after a switch the open cases above say the same. */}
      {warning.text && warning.lang === lang ? (
        <p className="order-warning" role="alert">
          {warning.text}
        </p>
      ) : null}
    </div>
  )
}
