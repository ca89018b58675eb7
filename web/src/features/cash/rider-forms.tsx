import { useId, useState } from 'react'
import { serverText } from '@/api/server-text'
import { type RiderCash, recordCash, settleRider } from '@/features/cash/api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { formatMoney, toPaisa } from '@/lib/money'
import { SelectField, TextField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'seller.cash.failed', broken: 'seller.cash.failed' } as const

const KINDS = {
  handed_in: 'seller.cash.kind.handed_in',
  float_given: 'seller.cash.kind.float_given',
  float_returned: 'seller.cash.kind.float_returned',
  difference: 'seller.cash.kind.difference',
} satisfies Record<string, MessageId>

/** Rupees as typed, with Nepali digits or a comma; NaN if it is not an amount. */
const parseRupees = (text: string) =>
  text.trim() === '' ? Number.NaN : Number(latinDigits(text).replaceAll(',', ''))

function useSend() {
  const [busy, run] = useBusy()
  const send = (work: () => Promise<unknown>, success: MessageId, done: () => void) =>
    run(async () => {
      try {
        await work()
        toast.success(success)
        done()
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, TEXTS))
      }
    })
  return [busy, send] as const
}

/** Closes the day: what was counted beside what the ledger expects. */
export function SettleForm({ rider, onDone }: { rider: RiderCash; onDone: () => void }) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const [busy, send] = useSend()
  const [counted, setCounted] = useState('')
  const [note, setNote] = useState('')
  const amount = parseRupees(counted)
  const difference = Number.isNaN(amount) ? 0 : toPaisa(rider.balance) - toPaisa(amount)
  const money = (paisa: number) => formatMoney(paisa, lang, 'auto')
  return (
    <form
      className="form cash-form"
      onSubmit={(event) => {
        event.preventDefault()
        const body = { riderId: rider._id, expected: rider.balance, counted: amount, note: note.trim() }
        void send(() => settleRider(body), 'seller.cash.settled', onDone)
      }}
    >
      <TextField
        id={`${id}-counted`}
        label={t('seller.cash.counted')}
        hint={t('seller.cash.countedHint')}
        inputMode="decimal"
        autoComplete="off"
        required
        pattern="[0-9०-९.,]+"
        value={counted}
        onChange={(event) => setCounted(event.target.value)}
      />
      {difference === 0 ? null : (
        <p className="cash-difference" role="status" data-testid="difference">
          {difference > 0
            ? t('seller.cash.short', { amount: money(difference) })
            : t('seller.cash.over', { amount: money(-difference) })}
        </p>
      )}
      <TextField
        id={`${id}-note`}
        label={t('seller.cash.note')}
        mark={difference === 0 ? 'optional' : 'required'}
        required={difference !== 0}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <SubmitButton busy={busy} wide>
        {t('seller.cash.close')}
      </SubmitButton>
    </form>
  )
}

/** Records a float, cash that was handed in during the day, or a difference. */
export function RecordForm({ rider, onDone }: { rider: RiderCash; onDone: () => void }) {
  const t = useT()
  const id = useId()
  const [busy, send] = useSend()
  const [kind, setKind] = useState<keyof typeof KINDS>('handed_in')
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  // The same for every attempt, so that a lost response does not record it twice.
  const [key] = useState(() => crypto.randomUUID())
  return (
    <form
      className="form cash-form"
      onSubmit={(event) => {
        event.preventDefault()
        const body = { riderId: rider._id, kind, amount: parseRupees(amount), note: note.trim(), key }
        void send(() => recordCash(body), 'seller.cash.recorded', onDone)
      }}
    >
      <SelectField
        id={`${id}-kind`}
        label={t('seller.cash.what')}
        value={kind}
        onChange={(event) => setKind(event.target.value as keyof typeof KINDS)}
      >
        {Object.entries(KINDS).map(([value, label]) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </SelectField>
      <TextField
        id={`${id}-amount`}
        label={t('seller.cash.amount')}
        hint={kind === 'difference' ? t('seller.cash.differenceHint') : undefined}
        inputMode="decimal"
        autoComplete="off"
        required
        pattern="-?[0-9०-९.,]+"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <TextField
        id={`${id}-note`}
        label={t('seller.cash.note')}
        mark={kind === 'difference' ? 'required' : 'optional'}
        required={kind === 'difference'}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <SubmitButton busy={busy} wide>
        {t('seller.cash.record')}
      </SubmitButton>
    </form>
  )
}
