import { useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import type { Order } from '@/features/orders/api'
import { CASES_KEY } from '@/features/orders/seller/open-cases'
import { type BulkResult, SELLER_ORDERS_KEY, setStatuses } from '@/features/orders/seller/orders-api'
import { STATUSES, statusVariant, useStatusText } from '@/features/orders/status'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import type { Lang } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { CloseIcon } from '@/ui/icons'
import { PrinterIcon } from '@/ui/icons-seller'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** The result for each order, with the number that sellers know it by. */
type Outcome = { status: string; lang: Lang; results: (BulkResult & { orderId: string })[] }

type BulkStatusBarProps = {
  chosen: Order[]
  /** Called with the orders that stay selected because their change failed. */
  onKeep: (ids: string[]) => void
  onPrint: (orders: Order[]) => void
}

/** Sets one status for all selected orders and shows the results. */
export function BulkStatusBar({ chosen, onKeep, onPrint }: BulkStatusBarProps) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const online = useOnline()
  const text = useStatusText()
  const [busy, run] = useBusy()
  const [status, setStatus] = useState('')
  const [asking, setAsking] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  // Cancelled orders are not packed, so they need no slip.
  const packed = chosen.filter((order) => statusVariant(order.status) !== 'canceled')

  const send = () =>
    run(async () => {
      const numbers = new Map(chosen.map(({ _id, orderId }) => [_id, orderId]))
      try {
        const results = await setStatuses(chosen, status)
        setOutcome({
          status,
          lang,
          results: results.map((each) => ({ ...each, orderId: numbers.get(each._id) ?? each._id })),
        })
        onKeep(results.filter(({ ok }) => !ok).map(({ _id }) => _id))
        if (results.every(({ ok }) => ok)) setStatus('')
      } catch (error) {
        handleSellerSessionEnded(error)
        toast.error(error instanceof ApiError ? 'seller.orders.statusFailed' : 'seller.orders.statusError')
      }
      setAsking(false)
      void queryClient.invalidateQueries({ queryKey: SELLER_ORDERS_KEY })
      void queryClient.invalidateQueries({ queryKey: CASES_KEY })
    })

  return (
    <>
      <BulkOutcome outcome={outcome} onClose={() => setOutcome(null)} />
      {chosen.length > 0 ? (
        <div className="bulk" data-testid="bulk" aria-busy={busy}>
          <label htmlFor={id}>{t('seller.orders.bulk.statusLabel', { n: chosen.length })}</label>
          <select
            id={id}
            className="input"
            value={status}
            disabled={busy || !online}
            onChange={(event) => setStatus(event.target.value)}
          >
            <option value="">{t('seller.orders.bulk.choose')}</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {text(each)}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="button button-primary"
            disabled={busy || !online || !status}
            // Cancelling returns items to stock and may refund payments, so cancelling many orders needs a confirmation.
            onClick={() => (status === 'Cancelled' ? setAsking(true) : void send())}
          >
            {busy ? <span className="spinner" /> : null}
            {t('seller.orders.bulk.apply')}
          </button>
          <button
            type="button"
            className="button button-outline"
            disabled={packed.length === 0}
            onClick={() => onPrint(packed)}
          >
            <PrinterIcon />
            {t('seller.packingSlip.printMany', { n: packed.length })}
          </button>
          <button type="button" className="button button-plain" onClick={() => onKeep([])}>
            {t('seller.orders.bulk.clear')}
          </button>
          {packed.length < chosen.length ? (
            <p className="bulk-note">
              {t('seller.packingSlip.cancelledSkipped', { n: chosen.length - packed.length })}
            </p>
          ) : null}
        </div>
      ) : null}
      {asking ? (
        <ConfirmDialog
          id="cancel-many"
          title={t('seller.orders.bulk.cancelTitle', { n: chosen.length })}
          text={t('seller.orders.bulk.cancelText')}
          confirm={t('seller.orders.bulk.cancel', { n: chosen.length })}
          keep={t('seller.orders.bulk.keep')}
          busy={busy}
          onConfirm={() => void send()}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

/** Takes the focus, because the bar with the pressed button disappears when everything has worked. */
function BulkOutcome({ outcome, onClose }: { outcome: Outcome | null; onClose: () => void }) {
  const t = useT()
  const lang = useLang()
  const text = useStatusText()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (outcome) box.current?.focus()
  }, [outcome])
  if (!outcome) return null
  const failed = outcome.results.filter(({ ok }) => !ok)
  const warned = outcome.results.filter(({ ok, warning }) => ok && warning)
  const worked = outcome.results.length - failed.length
  // The server's messages are in the language of the request; after a switch only the orders are listed, and their page
  // shows the reason.
  const why = (sentence: string) => (lang === outcome.lang && sentence ? `: ${sentence}` : '')
  return (
    <div
      ref={box}
      className="bulk-outcome"
      data-testid="bulk-outcome"
      data-failed={failed.length > 0}
      role={failed.length > 0 ? 'alert' : 'status'}
      tabIndex={-1}
    >
      <div>
        <p>
          <strong>{t('seller.orders.bulk.done', { n: worked, status: text(outcome.status) })}</strong>
        </p>
        {failed.length > 0 ? (
          <>
            <p>{t('seller.orders.bulk.failed', { n: failed.length })}</p>
            <ul>
              {failed.map(({ _id, orderId, message }) => (
                <li key={_id}>
                  <span translate="no">#{orderId}</span>
                  {why(message)}
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {warned.length > 0 ? (
          <>
            <p>{t('seller.orders.bulk.warned', { n: warned.length })}</p>
            <ul>
              {warned.map(({ _id, orderId, warning }) => (
                <li key={_id}>
                  <span translate="no">#{orderId}</span>
                  {why(warning)}
                </li>
              ))}
            </ul>
          </>
        ) : null}
      </div>
      <button type="button" className="icon-button" aria-label={t('shell.close')} onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  )
}
