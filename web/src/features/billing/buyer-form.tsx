import { serverText } from '@/api/server-text'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { isPan, setBuyer } from '@/features/billing/api'
import { useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { Dialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const PROBLEM = { refused: 'bills.buyer.failed', broken: 'bills.buyer.failed' } as const

type BuyerFormProps = { order: string; name: string; pan: string; onClose: () => void }

/** The company that the bill is made out to. */
export function BuyerForm({ order, name, pan, onClose }: BuyerFormProps) {
  const t = useT()
  const digits = (text: string) => latinDigits(text).replace(/\s/g, '')
  const form = useForm({
    id: 'bill-buyer',
    check: (read) => {
      const typed = digits(read('pan'))
      return { pan: typed === '' || isPan(typed) ? undefined : 'bills.buyer.panInvalid' }
    },
    onError: (error) => (handleSessionEnded(error) ? undefined : failure(serverText(error, PROBLEM))),
  })
  return (
    <Dialog id="bill-buyer" variant="form" title={t('bills.buyer.title')} onClose={onClose}>
      <form
        className="form"
        {...form.bind(async (read) => {
          await setBuyer(order, read('name').trim(), digits(read('pan')))
          onClose()
          toast.success('bills.buyer.saved')
        })}
      >
        <TextField
          label={t('bills.buyer.name')}
          hint={t('bills.buyer.nameHint')}
          maxLength={200}
          defaultValue={name}
          autoComplete="organization"
          {...form.field('name')}
        />
        <TextField
          label={t('bills.buyer.pan')}
          hint={t('bills.buyer.panHint')}
          inputMode="numeric"
          defaultValue={pan}
          autoComplete="off"
          {...form.field('pan')}
        />
        <FormProblem problem={form.problem} announced={false} />
        <SubmitButton busy={form.busy} wide>
          {t('bills.buyer.save')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}
