import { useState } from 'react'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { ChangePassword } from '@/features/accounts/change-password'
import type { User } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { useT } from '@/lib/i18n'
import { SubmitButton } from '@/ui/submit-button'
import { useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

export function PasswordSection({ user }: { user: User }) {
  if (!user.hasPassword) return <NoPassword user={user} />
  return (
    <ChangePassword
      email={user.email}
      hint="auth.passwordHint"
      change={accountsApi.changePassword}
      hasEnded={handleSessionEnded}
    />
  )
}

/** A shopper who signed in with Google and never chose a password gets an email with a link to set one. */
function NoPassword({ user }: { user: User }) {
  const t = useT()
  const [sent, setSent] = useState(false)
  const form = useForm({ onError: (error) => ({ toast: serverText(error, TEXTS) }) })
  const send = async () => {
    await accountsApi.forgotPassword(user.email)
    setSent(true)
  }
  return (
    <form className="form" {...form.bind(send)}>
      <p role="status">{sent ? t('password.emailSent', { email: user.email }) : t('password.none')}</p>
      {sent ? null : (
        <div className="button-row">
          <SubmitButton busy={form.busy}>{t('auth.forgotSend')}</SubmitButton>
        </div>
      )}
    </form>
  )
}
