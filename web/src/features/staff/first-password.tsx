import { Link } from '@tanstack/react-router'
import { queryClient } from '@/api/query-client'
import { ChangePassword } from '@/features/accounts/change-password'
import { type Seller, sessions } from '@/features/accounts/session'
import { SellerLogout } from '@/features/staff/header'
import { securityApi } from '@/features/staff/security-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { LanguageSwitch } from '@/ui/language-switch'
import { LogoMark } from '@/ui/logo'
import { usePageTitle } from '@/ui/page-title'

/** Shown instead of the dashboard until the seller has replaced the assigned password. */
export function SellerFirstPassword({ seller }: { seller: Seller }) {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.security.firstPassword.title'))
  const onChanged = () =>
    queryClient.setQueryData<Seller>(sessions.seller.queryKey, { ...seller, passwordChangeNeeded: false })
  return (
    <main id="main" className="seller-login" tabIndex={-1}>
      <Link className="wordmark" to={paths.home}>
        <LogoMark className="wordmark-mark" />
        {localText(settings, 'brand', lang)}
      </Link>
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
      <div className="seller-login-actions">
        <LanguageSwitch />
        <SellerLogout />
      </div>
    </main>
  )
}
