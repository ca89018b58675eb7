import '@/styles/account.css'
import { useState } from 'react'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { authDialog } from '@/features/accounts/auth-dialog'
import { LoginButton } from '@/features/accounts/header-account'
import { clearAfterSignOut } from '@/features/accounts/sign-in-out'
import { useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { PasswordField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { LockIcon } from '@/ui/icons-forms'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { SubmitButton } from '@/ui/submit-button'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

export function ResetPasswordPage() {
  const t = useT()
  usePageTitle(t('resetPassword.title'))
  const [token] = useState(takeLinkToken)
  const [done, setDone] = useState(false)
  const form = useForm({ onError: (error) => failure(serverText(error, TEXTS)) })

  const save = async (read: ReadField) => {
    await accountsApi.resetPassword(token, read('password'))
    // Every session has ended, including this browser's.
    clearAfterSignOut()
    setDone(true)
  }

  if (done) {
    return (
      <div className="wrap page" role="status">
        <StatePanel
          icon={<LockIcon size={36} />}
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
          icon={<LockIcon size={36} />}
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
      <form className="form" method="post" {...form.bind(save)}>
        <PasswordField
          label={t('password.new')}
          hint={t('auth.passwordHint')}
          name="password"
          required
          autoComplete="new-password"
        />
        <p className="field-hint">{t('resetPassword.note')}</p>
        <FormProblem problem={form.problem}>
          {' '}
          <button type="button" className="link" onClick={() => authDialog.show('forgot')}>
            {t('resetPassword.again')}
          </button>
        </FormProblem>
        <SubmitButton busy={form.busy} wide>
          {t('resetPassword.save')}
        </SubmitButton>
      </form>
    </div>
  )
}
