import { type FormEvent, useState } from 'react'
import { Refusal } from '@/api/client'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { endedElsewhere } from '@/features/accounts/person'
import type { User } from '@/features/accounts/session'
import { type MessageId, type RawText, say, useT } from '@/lib/i18n'
import { PasswordField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

export function PasswordSection({ user }: { user: User }) {
  return user.hasPassword ? <ChangePassword user={user} /> : <NoPassword user={user} />
}

function ChangePassword({ user }: { user: User }) {
  const t = useT()
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<{
    field: 'current' | 'new' | null
    text: MessageId | RawText
  } | null>(null)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    void run(async () => {
      setProblem(null)
      toast.dismissAll()
      try {
        await accountsApi.changePassword(String(data.get('current')), String(data.get('new')))
        form.reset()
        toast.success('password.changed')
      } catch (error) {
        if (endedElsewhere(error)) return
        const code = (error instanceof Refusal && error.code) || ''
        const field = code === 'wrong_password' ? 'current' : code.startsWith('password_') ? 'new' : null
        const text = serverText(error, TEXTS)
        setProblem({ field, text })
        toast.error(text)
        if (field) form.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus()
      }
    })
  }
  const errorOf = (field: 'current' | 'new') => (problem?.field === field ? say(problem.text) : undefined)
  return (
    <form className="form" method="post" onSubmit={onSubmit}>
      <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label={t('password.current')}
        name="current"
        required
        autoComplete="current-password"
        error={errorOf('current')}
      />
      <PasswordField
        label={t('password.new')}
        hint={t('auth.passwordHint')}
        name="new"
        required
        autoComplete="new-password"
        error={errorOf('new')}
      />
      <p className="field-hint">{t('password.note')}</p>
      {problem && !problem.field ? <p className="form-problem">{say(problem.text)}</p> : null}
      <div className="button-row">
        <SubmitButton busy={busy}>{t('password.change')}</SubmitButton>
      </div>
    </form>
  )
}

/** Somebody who came through Google and never chose a password: a letter leads to one. */
function NoPassword({ user }: { user: User }) {
  const t = useT()
  const [busy, run] = useBusy()
  const [sent, setSent] = useState(false)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      try {
        await accountsApi.forgotPassword(user.email)
        setSent(true)
      } catch (error) {
        toast.error(serverText(error, TEXTS))
      }
    })
  }
  return (
    <form className="form" onSubmit={onSubmit}>
      <p role="status">{sent ? t('password.letterSent', { email: user.email }) : t('password.none')}</p>
      {sent ? null : (
        <div className="button-row">
          <SubmitButton busy={busy}>{t('auth.forgotSend')}</SubmitButton>
        </div>
      )}
    </form>
  )
}
