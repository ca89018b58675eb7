import { useState } from 'react'
import { serverText } from '@/api/server-text'
import type { BillDocument } from '@/features/billing/api'
import { creditBill } from '@/features/billing/seller/bills-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { Dialog } from '@/ui/dialog'
import { Field, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const PROBLEM = { refused: 'bills.credit.failed', broken: 'bills.credit.failed' } as const

/** Takes back units of a bill; the money goes back by other means. */
export function CreditForm({ bill, onClose }: { bill: BillDocument; onClose: () => void }) {
  const t = useT()
  const lang = useLang()
  const [quantities, setQuantities] = useState<Record<number, number>>({})
  const lines = Object.entries(quantities)
    .map(([position, quantity]) => ({ position: Number(position), quantity }))
    .filter(({ quantity }) => quantity > 0)
  const form = useForm({
    id: 'bill-credit',
    check: (read) => ({
      lines: lines.length === 0 ? 'bills.credit.linesNeeded' : undefined,
      reason: read('reason').trim() === '' ? 'bills.credit.reasonNeeded' : undefined,
    }),
    onError: (error) => (handleSellerSessionEnded(error) ? undefined : failure(serverText(error, PROBLEM))),
  })
  return (
    <Dialog id="bill-credit" variant="form" title={t('bills.credit')} onClose={onClose}>
      <form
        className="form"
        {...form.bind(async (read) => {
          await creditBill(bill._id, lines, read('reason').trim())
          onClose()
          toast.success('bills.credit.done')
        })}
      >
        <p className="muted">{t('bills.credit.note')}</p>
        {form.error('lines') ? <p className="field-error">{form.error('lines')}</p> : null}
        {(bill.lines ?? [])
          .filter(({ quantity, credited }) => credited < quantity)
          .map((line) => (
            <Field key={line.position} label={localText(line, 'name', lang)}>
              {(control) => (
                <select
                  className="input"
                  {...control}
                  value={quantities[line.position] ?? 0}
                  onChange={(event) => {
                    setQuantities({ ...quantities, [line.position]: Number(event.target.value) })
                    form.clearErrors('lines')
                  }}
                >
                  {Array.from({ length: line.quantity - line.credited + 1 }, (_, quantity) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the index is the quantity
                    <option key={quantity} value={quantity}>
                      {formatNumber(quantity, lang)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ))}
        <TextField label={t('bills.credit.reason')} maxLength={200} {...form.field('reason')} />
        <FormProblem problem={form.problem} announced={false} />
        <SubmitButton busy={form.busy} wide>
          {t('bills.credit.send')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}
