import { queryClient } from '@/api/query-client'
import { ChangePassword } from '@/features/accounts/change-password'
import { type Seller, sessions } from '@/features/accounts/session'
import { securityApi } from '@/features/staff/security-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { SignInFrame } from '@/features/staff/sign-in-frame'
import { useT } from '@/lib/i18n'
import { usePageTitle } from '@/ui/page-title'

/** Shown instead of the dashboard until the seller has replaced the assigned password. */
export function SellerFirstPassword({ seller }: { seller: Seller }) {
  const t = useT()
  usePageTitle(t('seller.security.firstPassword.title'))
  const onChanged = () =>
    queryClient.setQueryData<Seller>(sessions.seller.queryKey, { ...seller, passwordChangeNeeded: false })
  return (
    <SignInFrame signedIn>
      <div className="box first-password">
        <h1>{t('seller.security.firstPassword.title')}</h1>
        <p className="first-password-text">{t('seller.security.firstPassword.text')}</p>
        <ChangePassword
          email={seller.email}
          hint="seller.security.passwordHint"
          first="seller.security.givenPassword"
          change={securityApi.changePassword}
          hasEnded={handleSellerSessionEnded}
          onChanged={onChanged}
        />
      </div>
    </SignInFrame>
  )
}
