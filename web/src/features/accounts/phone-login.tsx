import { accountsApi } from '@/features/accounts/api'
import { authDialog } from '@/features/accounts/auth-dialog'
import { PhoneCodeForm } from '@/features/accounts/phone-code-form'
import { setSignedIn } from '@/features/accounts/sign-in-out'
import { useT } from '@/lib/i18n'

/** Logs in with a code that is sent to a confirmed phone number. */
export function PhoneLogin({ onDone }: { onDone: () => void }) {
  const t = useT()
  return (
    <>
      <PhoneCodeForm
        text={t('phoneCode.loginText')}
        phone=""
        label="nav.login"
        onRequest={accountsApi.sendLoginCode}
        onCode={async (token, code) => {
          await setSignedIn(await accountsApi.loginByPhone(token, code))
          onDone()
        }}
      />
      <button type="button" className="link" onClick={() => authDialog.show('login')}>
        {t('auth.backToLogin')}
      </button>
    </>
  )
}
