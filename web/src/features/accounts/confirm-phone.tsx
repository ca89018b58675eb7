import { accountsApi } from '@/features/accounts/api'
import { PhoneCodeForm } from '@/features/accounts/phone-code-form'
import type { User } from '@/features/accounts/session'
import { handleSessionEnded, setSignedIn } from '@/features/accounts/sign-in-out'
import { useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'
import { toast } from '@/ui/toast'

/** Confirms the shopper's phone number with a code by SMS. */
export function ConfirmPhone({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog id="confirm-phone" variant="form" title={t('phoneCode.confirmTitle')} onClose={onClose}>
      <PhoneCodeForm
        text={t('phoneCode.confirmText')}
        phone={user.phone}
        label="phoneCode.confirm"
        onRequest={accountsApi.sendPhoneCode}
        onCode={async (token, code) => {
          await setSignedIn(await accountsApi.confirmPhone(token, code))
          onClose()
          toast.success('phoneCode.confirmed')
        }}
        onError={handleSessionEnded}
      />
    </Dialog>
  )
}
