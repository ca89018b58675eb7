import { type FormEvent, useId, useState } from 'react'
import { FilePreview } from '@/features/media/file-preview'
import { resizePhoto } from '@/features/media/resize-photo'
import type { RiderDelivery } from '@/features/orders/seller/deliveries-api'
import { recordStop } from '@/features/riders/sync'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { localText } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { Field, SelectField, TextField } from '@/ui/field'
import { CameraIcon } from '@/ui/icons-forms'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type StopFormProps = { stop: RiderDelivery; onDone: () => void }

function useRecord(onDone: () => void) {
  const [busy, run] = useBusy()
  const submit = (work: () => Promise<void>) => (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      try {
        await work()
        onDone()
      } catch {
        // The phone's own storage failed, so nothing is recorded.
        toast.error('seller.stops.notStored')
      }
    })
  }
  return [busy, submit] as const
}

function RecordButton({ busy, label }: { busy: boolean; label: MessageId }) {
  const t = useT()
  return (
    <button type="submit" className="button button-primary button-wide stop-button" disabled={busy}>
      {t(label)}
    </button>
  )
}

/** The shopper's code or a photo, and the cash. `isAmountOpen` says that the amount has changed since the list was loaded. */
export function DeliveredForm({ stop, onDone, isAmountOpen }: StopFormProps & { isAmountOpen: boolean }) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const due = stop.cashToCollect
  const [code, setCode] = useState('')
  const [photo, setPhoto] = useState<File>()
  const [cash, setCash] = useState(isAmountOpen ? '' : String(due))
  const [busy, submit] = useRecord(onDone)
  const record = async () => {
    const collected = Number(latinDigits(cash).replaceAll(',', ''))
    const proof = photo ? { photo: crypto.randomUUID() } : { code: latinDigits(code) }
    await recordStop(
      // Without the amount the shop could not tell whether cash was taken for an order that the wallet has paid meanwhile.
      { orderId: stop._id, kind: 'delivered', ...proof, ...(due > 0 ? { collected } : {}) },
      photo && (await resizePhoto(photo)),
    )
  }
  return (
    <form className="form stop-form" onSubmit={submit(record)}>
      {due > 0 ? (
        <TextField
          id={`${id}-cash`}
          label={t('seller.stops.collected')}
          hint={isAmountOpen ? t('seller.stops.collectedHint') : formatMoney(toPaisa(due), lang, 'auto')}
          inputMode="decimal"
          autoComplete="off"
          required
          pattern="[0-9०-९.,]+"
          value={cash}
          onChange={(event) => setCash(event.target.value)}
        />
      ) : null}
      <TextField
        id={`${id}-code`}
        label={t('seller.stops.code')}
        hint={t('seller.stops.codeHint')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        pattern="[0-9०-९]{4}"
        required={!photo}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Field id={`${id}-photo`} label={t('seller.stops.photo')}>
        {(wiring) => (
          <div className="photo-row">
            {photo ? (
              <FilePreview file={photo} alt={t('seller.stops.photoTaken')} className="stop-photo" />
            ) : null}
            <span className="button button-outline photo-pick">
              <CameraIcon />
              {t(photo ? 'seller.stops.retakePhoto' : 'seller.stops.takePhoto')}
              <input
                {...wiring}
                type="file"
                accept="image/*"
                capture="environment"
                onChange={(event) => setPhoto(event.target.files?.[0])}
              />
            </span>
          </div>
        )}
      </Field>
      <RecordButton busy={busy} label="seller.deliveries.delivered" />
    </form>
  )
}

const REASONS = {
  nobody_home: 'seller.stops.reason.nobody_home',
  no_answer: 'seller.stops.reason.no_answer',
  wrong_address: 'seller.stops.reason.wrong_address',
  refused: 'seller.stops.reason.refused',
  other: 'seller.stops.reason.other',
} satisfies Record<string, MessageId>

export function NotMetForm({ stop, onDone }: StopFormProps) {
  const t = useT()
  const id = useId()
  const [reason, setReason] = useState('nobody_home')
  const [day, setDay] = useState('')
  const [note, setNote] = useState('')
  const [busy, submit] = useRecord(onDone)
  const record = () =>
    recordStop({ orderId: stop._id, kind: 'not_met', reason, note: note.trim(), ...(day ? { day } : {}) })
  return (
    <form className="form stop-form" onSubmit={submit(record)}>
      <SelectField
        id={`${id}-reason`}
        label={t('seller.stops.reason')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      >
        {Object.entries(REASONS).map(([value, label]) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </SelectField>
      <TextField
        id={`${id}-day`}
        label={t('seller.stops.day')}
        hint={t('seller.stops.dayHint')}
        mark="optional"
        type="date"
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <TextField
        id={`${id}-note`}
        label={t('seller.stops.note')}
        mark="optional"
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <RecordButton busy={busy} label="seller.stops.notMet" />
    </form>
  )
}

/** How many of each product come back. */
export function ReturnedForm({ stop, onDone }: StopFormProps) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const [back, setBack] = useState<Record<string, number>>({})
  const [busy, submit] = useRecord(onDone)
  const items = Object.entries(back)
    .filter(([, quantity]) => quantity > 0)
    .map(([product, quantity]) => ({ product, quantity }))
  const record = () => recordStop({ orderId: stop._id, kind: 'returned', items })
  return (
    <form className="form stop-form" onSubmit={submit(record)}>
      <p className="muted">{t('seller.stops.returnedHint')}</p>
      {stop.items.map((item) => (
        <SelectField
          key={item._id}
          id={`${id}-${item._id}`}
          label={localText(item, 'name', lang)}
          value={back[item._id] ?? 0}
          onChange={(event) => setBack({ ...back, [item._id]: Number(event.target.value) })}
        >
          {Array.from({ length: item.quantity + 1 }, (_, quantity) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the quantity is the key
            <option key={quantity} value={quantity}>
              {formatNumber(quantity, lang)}
            </option>
          ))}
        </SelectField>
      ))}
      <RecordButton busy={busy || items.length === 0} label="seller.stops.returned" />
    </form>
  )
}
