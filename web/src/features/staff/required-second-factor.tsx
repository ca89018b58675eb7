import '@/styles/seller-staff.css'
import type { Seller } from '@/features/accounts/session'
import { SecondFactor } from '@/features/staff/second-factor'
import { SignInFrame } from '@/features/staff/sign-in-frame'
import { useT } from '@/lib/i18n'
import { usePageTitle } from '@/ui/page-title'

/** Shown instead of the dashboard until a required second factor is set up. */
export function RequiredSecondFactor({ seller }: { seller: Seller }) {
  const t = useT()
  usePageTitle(t('seller.secondFactor.title'))
  return (
    <SignInFrame signedIn>
      <div className="box first-password">
        <h1>{t('seller.secondFactor.title')}</h1>
        <p className="first-password-text">{t('seller.secondFactor.required')}</p>
        <SecondFactor seller={seller} />
      </div>
    </SignInFrame>
  )
}
