import { useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { accountsApi, exportData } from '@/features/accounts/api'
import { authDialog } from '@/features/accounts/auth-dialog'
import { googleSignInUrl } from '@/features/accounts/google-sign-in'
import type { User } from '@/features/accounts/session'
import { clearAfterSignOut, handleSessionEnded } from '@/features/accounts/sign-in-out'
import { useT } from '@/lib/i18n'
import { PasswordDialog } from '@/ui/password-dialog'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

export function DataSection({ user }: { user: User }) {
  const t = useT()
  const [asking, setAsking] = useState(false)
  const form = useForm<'password'>({
    onError: (error) => {
      if (handleSessionEnded(error)) return undefined
      // An action that cannot be undone requires a recent login.
      if (error instanceof ApiError && error.code === 'fresh_login_needed') {
        setAsking(false)
        if (user.google && !user.hasPassword) location.assign(googleSignInUrl(true))
        else authDialog.show('login')
      }
      return failure(serverText(error, TEXTS), 'password')
    },
  })
  const remove = async () => {
    await accountsApi.deleteAccount(user.hasPassword ? form.read('password') : undefined)
    setAsking(false)
    clearAfterSignOut()
    toast.success('data.deleted')
  }

  return (
    <div className="form">
      <p>{t('data.downloadText')}</p>
      <div className="button-row">
        <button
          type="button"
          className="button button-outline"
          aria-busy={form.busy}
          onClick={() => form.send(exportData)}
        >
          {t('data.download')}
        </button>
      </div>
      <p>{t('data.deleteText')}</p>
      <div className="button-row">
        <button
          type="button"
          className="button button-danger-outline"
          onClick={() => {
            form.reset()
            setAsking(true)
          }}
        >
          {t('data.delete')}
        </button>
      </div>
      {asking ? (
        <PasswordDialog
          id="delete-account"
          title={t('data.deleteTitle')}
          text={t('data.deleteWarning')}
          confirm={t('data.delete')}
          form={form}
          withPassword={user.hasPassword}
          focusPassword={false}
          onConfirm={() => form.send(remove)}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
