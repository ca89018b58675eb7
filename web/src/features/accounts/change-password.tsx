import { type FormEvent, useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { type MessageId, messageText, type RawText, useT } from '@/lib/i18n'
import { PasswordField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const
type Problem = { field: 'current' | 'new' | null; text: MessageId | RawText }

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
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<Problem | null>(null)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    void run(async () => {
      setProblem(null)
      toast.dismissAll()
      try {
        await change(String(data.get('current')), String(data.get('new')))
        form.reset()
        toast.success('password.changed')
        onChanged?.()
      } catch (error) {
        if (hasEnded(error)) return
        const code = (error instanceof ApiError && error.code) || ''
        const field = code === 'wrong_password' ? 'current' : code.startsWith('password_') ? 'new' : null
        const text = serverText(error, TEXTS)
        setProblem({ field, text })
        toast.error(text)
        if (field) form.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus()
      }
    })
  }
  const errorOf = (field: Problem['field']) =>
    problem?.field === field ? messageText(problem.text) : undefined
  return (
    <form className="form" method="post" onSubmit={onSubmit}>
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t(first ?? 'password.current')}
        name="current"
        required
        autoComplete="current-password"
        error={errorOf('current')}
      />
      <PasswordField
        label={t('password.new')}
        hint={t(hint)}
        name="new"
        required
        autoComplete="new-password"
        error={errorOf('new')}
      />
      {first ? null : <p className="field-hint">{t('password.note')}</p>}
      {problem && !problem.field ? <p className="form-problem">{messageText(problem.text)}</p> : null}
      <div className="button-row">
        <SubmitButton busy={busy} wide={first !== undefined}>
          {t('password.change')}
        </SubmitButton>
      </div>
    </form>
  )
}
