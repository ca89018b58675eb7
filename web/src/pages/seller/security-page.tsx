import '@/styles/account.css'
import '@/styles/seller-staff.css'
import { useQuery } from '@tanstack/react-query'
import { ChangePassword } from '@/features/accounts/change-password'
import { sessions } from '@/features/accounts/session'
import { CounterDevice } from '@/features/staff/counter-device'
import { SellerDevices } from '@/features/staff/devices'
import { SecondFactor } from '@/features/staff/second-factor'
import { securityApi } from '@/features/staff/security-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { usePageTitle } from '@/ui/page-title'

/** The password, the second factor, the PIN and the sessions of the seller's own account. */
export function SellerSecurityPage() {
  const t = useT()
  usePageTitle(t('seller.nav.security'))
  const { data: seller } = useQuery({ ...sessions.seller, enabled: false })
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.security')}</h1>
      </div>
      <div className="seller-security">
        <section className="box" aria-labelledby="security-password">
          <h2 id="security-password">{t('seller.security.password')}</h2>
          {seller ? (
            <ChangePassword
              email={seller.email}
              hint="seller.security.passwordHint"
              change={securityApi.changePassword}
              hasEnded={handleSellerSessionEnded}
            />
          ) : null}
        </section>
        <section className="box" aria-labelledby="security-second-factor">
          <h2 id="security-second-factor">{t('seller.secondFactor.title')}</h2>
          {seller ? <SecondFactor seller={seller} /> : null}
        </section>
        <section className="box" aria-labelledby="security-device">
          <h2 id="security-device">{t('seller.device.title')}</h2>
          {seller ? <CounterDevice seller={seller} /> : null}
        </section>
        <section className="box" aria-labelledby="security-devices">
          <h2 id="security-devices">{t('devices.title')}</h2>
          <p className="muted">{t('seller.security.devicesText')}</p>
          <SellerDevices />
        </section>
      </div>
    </>
  )
}
