import { useEffect, useRef, useState } from 'react'
import { formatHours } from '@/features/delivery/hours'
import { Day } from '@/features/orders/day'
import type { RiderDelivery } from '@/features/orders/seller/deliveries-api'
import { StatusBadge } from '@/features/orders/status'
import { DoorPayment, WalletButton } from '@/features/riders/door-payment'
import type { QueueEntry } from '@/features/riders/queue'
import { DeliveredForm, NotMetForm, ReturnedForm } from '@/features/riders/stop-forms'
import { dismissRefusal, recordStop } from '@/features/riders/sync'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { toast } from '@/ui/toast'

const KINDS: Record<string, MessageId> = {
  out: 'seller.deliveries.start',
  delivered: 'seller.deliveries.delivered',
  not_met: 'seller.stops.notMet',
  returned: 'seller.stops.returned',
}
const kindOf = ({ event }: QueueEntry) => KINDS[event.kind] ?? 'seller.deliveries.delivered'

type Part = 'delivered' | 'returned' | 'not_met' | 'wallet'

const mapUrl = ({ address, municipality, ward }: RiderDelivery) =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: [address, municipality, ward].filter(Boolean).join(', ') })}`

/** One stop, with what was recorded for it and not confirmed yet. */
export function StopCard({ stop, entries }: { stop: RiderDelivery; entries: QueueEntry[] }) {
  const t = useT()
  const lang = useLang()
  const [open, setOpen] = useState<Part | null>(null)
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // On a phone, the buttons are at the bottom of the screen, and what they open is below it.
    if (open) card.current?.querySelector('.stop-form')?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const waiting = entries.filter(({ refusal }) => refusal === undefined)
  const isWaiting = (kind: string) => waiting.some(({ event }) => event.kind === kind)
  const isOut = stop.status === 'Out for Delivery' || isWaiting('out')
  const isDone = stop.status === 'Delivered' || isWaiting('delivered') || isWaiting('not_met')
  const { phone, landmark, address } = stop
  const start = () =>
    void recordStop({ orderId: stop._id, kind: 'out' }).catch(() => toast.error('seller.stops.notStored'))
  const close = () => setOpen(null)
  return (
    <li ref={card} className="box delivery-card" data-testid="delivery">
      <div className="delivery-head">
        <h2>
          <span translate="no">{stop.name}</span>
        </h2>
        <StatusBadge status={stop.status} />
      </div>
      <p className="muted">
        <span translate="no">#{stop.orderId}</span> · <Day iso={stop.deliveryDate} />
        {stop.deliveryWindow ? `, ${formatHours(stop.deliveryWindow, lang)}` : ''}
      </p>
      <p translate="no">
        {address}
        {landmark && !address.includes(landmark) ? ` (${landmark})` : ''}
      </p>
      {stop.noteRider ? <p translate="no">{stop.noteRider}</p> : null}
      <ul className="delivery-items">
        {stop.items.map((item) => (
          <li key={item._id}>
            {formatNumber(item.quantity, lang)} × {localText(item, 'name', lang)}
          </li>
        ))}
      </ul>
      <p className="delivery-cash stop-cash" data-testid="cash">
        {stop.cashToCollect > 0
          ? t('seller.deliveries.collect', { amount: formatMoney(toPaisa(stop.cashToCollect), lang, 'auto') })
          : t('seller.deliveries.paid')}
      </p>
      <div className="button-row">
        <a className="button button-outline stop-button" href={`tel:${toDialledPhone(phone)}`}>
          {t('seller.deliveries.call')} <span translate="no">{formatPhone(phone)}</span>
        </a>
        <a className="button button-outline stop-button" href={mapUrl(stop)} target="_blank" rel="noreferrer">
          {t('seller.stops.map')}
        </a>
      </div>
      {waiting.map((entry) => (
        <p key={entry.seq} className="stop-waiting" role="status" data-testid="waiting">
          {t('seller.stops.waiting', { what: t(kindOf(entry)) })}
        </p>
      ))}
      {entries
        .filter(({ refusal }) => refusal !== undefined)
        .map((entry) => (
          <div key={entry.seq} className="stop-refused" role="alert" data-testid="refused">
            <p>
              {t('seller.stops.refused', { what: t(kindOf(entry)) })} {entry.refusal}
            </p>
            <button type="button" className="button button-plain" onClick={() => void dismissRefusal(entry)}>
              {t('seller.stops.dismiss')}
            </button>
          </div>
        ))}
      {isDone ? null : isOut ? (
        <>
          <button
            type="button"
            className="button button-primary button-wide stop-button"
            aria-expanded={open === 'delivered'}
            onClick={() => setOpen(open === 'delivered' ? null : 'delivered')}
          >
            {t('seller.stops.deliver')}
          </button>
          {stop.cashToCollect > 0 && waiting.length === 0 ? (
            <WalletButton
              open={open === 'wallet'}
              onToggle={() => setOpen(open === 'wallet' ? null : 'wallet')}
            />
          ) : null}
          <div className="button-row">
            {(['not_met', 'returned'] as const).map((part) => (
              <button
                key={part}
                type="button"
                className="button button-outline stop-button"
                aria-expanded={open === part}
                onClick={() => setOpen(open === part ? null : part)}
              >
                {t(KINDS[part] as MessageId)}
              </button>
            ))}
          </div>
        </>
      ) : (
        <button type="button" className="button button-primary button-wide stop-button" onClick={start}>
          {t('seller.deliveries.start')}
        </button>
      )}
      {open === 'delivered' && !isDone ? (
        <DeliveredForm stop={stop} onDone={close} isAmountOpen={isWaiting('returned')} />
      ) : null}
      {open === 'wallet' && !isDone && stop.cashToCollect > 0 ? <DoorPayment stop={stop} /> : null}
      {open === 'not_met' && !isDone ? <NotMetForm stop={stop} onDone={close} /> : null}
      {open === 'returned' && !isDone ? <ReturnedForm stop={stop} onDone={close} /> : null}
    </li>
  )
}
