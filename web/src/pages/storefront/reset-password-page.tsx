import '@/styles/account.css'
import { type FormEvent, useState } from 'react'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { authDialog } from '@/features/accounts/auth-dialog'
import { LoginButton } from '@/features/accounts/header-account'
import { clearAfterSignOut } from '@/features/accounts/sign-in-out'
import { type MessageId, messageText, type RawText, useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { PasswordField } from '@/ui/field'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

export function ResetPasswordPage() {
  const t = useT()
  usePageTitle(t('resetPassword.title'))
  const [token] = useState(takeLinkToken)
  const [done, setDone] = useState(false)
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [busy, run] = useBusy()

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    void run(async () => {
      setProblem(null)
      toast.dismissAll()
      try {
        await accountsApi.resetPassword(token, password)
      } catch (error) {
        const text = serverText(error, { refused: 'auth.generic', broken: 'auth.generic' })
        setProblem(text)
        toast.error(text)
        return
      }
      // Every session has ended, including this browser's.
      clearAfterSignOut()
      setDone(true)
    })
  }

  if (done) {
    return (
      <div className="wrap page" role="status">
        <StatePanel
          heading="h1"
          title={t('resetPassword.done')}
          action={<LoginButton className="button button-primary" />}
        />
      </div>
    )
  }
  if (!token) {
    return (
      <div className="wrap page">
        <StatePanel
          heading="h1"
          title={t('resetPassword.invalid')}
          action={
            <button type="button" className="button button-primary" onClick={() => authDialog.show('forgot')}>
              {t('resetPassword.again')}
            </button>
          }
        />
      </div>
    )
  }
  return (
    <div className="wrap page narrow">
      <h1>{t('resetPassword.title')}</h1>
      <form className="form" method="post" onSubmit={onSubmit}>
        <PasswordField
          label={t('password.new')}
          hint={t('auth.passwordHint')}
          name="password"
          required
          autoComplete="new-password"
        />
        <p className="field-hint">{t('resetPassword.note')}</p>
        {problem ? (
          <div className="form-problem" role="alert">
            {messageText(problem)}{' '}
            <button type="button" className="link" onClick={() => authDialog.show('forgot')}>
              {t('resetPassword.again')}
            </button>
          </div>
        ) : null}
        <SubmitButton busy={busy} wide>
          {t('resetPassword.save')}
        </SubmitButton>
      </form>
    </div>
  )
}
