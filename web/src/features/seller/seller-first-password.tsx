import { Link } from '@tanstack/react-router'
import { queryClient } from '@/api/query-client'
import { ChangePassword } from '@/features/accounts/change-password'
import { type Seller, sessions } from '@/features/accounts/session'
import { SellerLogout } from '@/features/seller/seller-header'
import { endedMeanwhile, securityApi } from '@/features/seller/seller-security-api'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { LanguageSwitch } from '@/ui/language-switch'
import { Mark } from '@/ui/logo'
import { usePageTitle } from '@/ui/page-title'

/** Stands in place of the dashboard until the password that somebody else made up is changed. */
export function SellerFirstPassword({ seller }: { seller: Seller }) {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('ssec.firstTitle'))
  const onChanged = () =>
    queryClient.setQueryData<Seller>(sessions.seller.queryKey, { ...seller, passwordChangeNeeded: false })
  return (
    <main id="main" className="seller-door" tabIndex={-1}>
      <Link className="wordmark" to={paths.home}>
        <Mark className="wordmark-mark" />
        {localText(settings, 'brand', lang)}
      </Link>
      <div className="box seller-first">
        <h1>{t('ssec.firstTitle')}</h1>
        <p className="seller-first-text">{t('ssec.firstText')}</p>
        <ChangePassword
          email={seller.email}
          hint="ssec.hint"
          first="ssec.given"
          change={securityApi.changePassword}
          hasEnded={endedMeanwhile}
          onChanged={onChanged}
        />
      </div>
      <div className="seller-door-ways">
        <LanguageSwitch />
        <SellerLogout />
      </div>
    </main>
  )
}
