import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { type MessageId, useT } from '@/lib/i18n'
import { PasswordField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

type ChangePasswordProps = {
  email: string
  hint: MessageId
  /** The label of the current password if it was assigned; in that case there are no other sessions to mention. */
  first?: MessageId
  change: (current: string, chosen: string) => Promise<unknown>
  /** Whether the call failed because the session has ended; the form then shows nothing more. */
  hasEnded: (error: unknown) => boolean
  onChanged?: () => void
}

/** The form to change a password, for shoppers and sellers. */
export function ChangePassword({ email, hint, first, change, hasEnded, onChanged }: ChangePasswordProps) {
  const t = useT()
  const form = useForm<'current' | 'new'>({
    onError: (error) => {
      if (hasEnded(error)) return undefined
      const code = (error instanceof ApiError && error.code) || ''
      const field = code === 'wrong_password' ? 'current' : code.startsWith('password_') ? 'new' : undefined
      return failure(serverText(error, TEXTS), field)
    },
  })
  const save = async (read: ReadField) => {
    await change(read('current'), read('new'))
    form.ref.current?.reset()
    toast.success('password.changed')
    onChanged?.()
  }
  return (
    <form className="form" method="post" {...form.bind(save)}>
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t(first ?? 'password.current')}
        name="current"
        required
        autoComplete="current-password"
        error={form.error('current')}
      />
      <PasswordField
        label={t('password.new')}
        hint={t(hint)}
        name="new"
        required
        autoComplete="new-password"
        error={form.error('new')}
      />
      {first ? null : <p className="field-hint">{t('password.note')}</p>}
      <FormProblem problem={form.problem} announced={false} />
      <div className="button-row">
        <SubmitButton busy={form.busy} wide={first !== undefined}>
          {t('password.change')}
        </SubmitButton>
      </div>
    </form>
  )
}
