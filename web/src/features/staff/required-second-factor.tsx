import '@/styles/seller-staff.css'
import { Link } from '@tanstack/react-router'
import type { Seller } from '@/features/accounts/session'
import { SellerLogout } from '@/features/staff/header'
import { SecondFactor } from '@/features/staff/second-factor'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { LanguageSwitch } from '@/ui/language-switch'
import { LogoMark } from '@/ui/logo'
import { usePageTitle } from '@/ui/page-title'

/** Shown instead of the dashboard until a required second factor is set up. */
export function RequiredSecondFactor({ seller }: { seller: Seller }) {
  const t = useT()
  const lang = useLang()
  usePageTitle(t('seller.secondFactor.title'))
  return (
    <main id="main" className="seller-login" tabIndex={-1}>
      <Link className="wordmark" to={paths.home}>
        <LogoMark className="wordmark-mark" />
        {localText(settings, 'brand', lang)}
      </Link>
      <div className="box first-password">
        <h1>{t('seller.secondFactor.title')}</h1>
        <p className="first-password-text">{t('seller.secondFactor.required')}</p>
        <SecondFactor seller={seller} />
      </div>
      <div className="seller-login-actions">
        <LanguageSwitch />
        <SellerLogout />
      </div>
    </main>
  )
}
