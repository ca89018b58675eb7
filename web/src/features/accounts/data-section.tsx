import { useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { accountsApi, exportData } from '@/features/accounts/api'
import { authDialog } from '@/features/accounts/auth-dialog'
import { googleSignInUrl } from '@/features/accounts/google-sign-in'
import type { User } from '@/features/accounts/session'
import { clearAfterSignOut, handleSessionEnded } from '@/features/accounts/sign-in-out'
import { type MessageId, messageText, type RawText, useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { PasswordField } from '@/ui/field'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

export function DataSection({ user }: { user: User }) {
  const t = useT()
  const [busy, run] = useBusy()
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)

  const failed = (error: unknown) => {
    if (handleSessionEnded(error)) return
    const text = serverText(error, TEXTS)
    toast.error(text)
    setProblem(text)
    // An action that cannot be undone requires a recent login.
    if (error instanceof ApiError && error.code === 'fresh_login_needed') {
      setAsking(false)
      if (user.google && !user.hasPassword) location.assign(googleSignInUrl(true))
      else authDialog.show('login')
    }
  }
  const download = () =>
    run(async () => {
      try {
        await exportData()
      } catch (error) {
        failed(error)
      }
    })
  const remove = (form: HTMLFormElement) =>
    run(async () => {
      setProblem(null)
      toast.dismissAll()
      const password = new FormData(form).get('password')
      try {
        await accountsApi.deleteAccount(password === null ? undefined : String(password))
        setAsking(false)
        clearAfterSignOut()
        toast.success('data.deleted')
      } catch (error) {
        failed(error)
      }
    })

  return (
    <div className="form">
      <p>{t('data.downloadText')}</p>
      <div className="button-row">
        <button
          type="button"
          className="button button-outline"
          aria-busy={busy}
          onClick={() => void download()}
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
            setProblem(null)
            setAsking(true)
          }}
        >
          {t('data.delete')}
        </button>
      </div>
      {asking ? (
        <ConfirmDialog
          id="delete-account"
          title={t('data.deleteTitle')}
          text={t('data.deleteWarning')}
          confirm={t('data.delete')}
          busy={busy}
          onConfirm={(form) => void remove(form)}
          onCancel={() => setAsking(false)}
        >
          {user.hasPassword ? (
            <PasswordField
              label={t('password.current')}
              name="password"
              required
              autoComplete="current-password"
              error={problem ? messageText(problem) : undefined}
            />
          ) : null}
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
