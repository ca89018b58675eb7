import '@/styles/account.css'
import '@/styles/alerts.css'
import { StaffAlerts } from '@/features/alerts/staff-alerts'
import { useT } from '@/lib/i18n'
import { usePageTitle } from '@/ui/page-title'

/** How the seller hears of new orders. */
export function SellerAlertsPage() {
  const t = useT()
  usePageTitle(t('seller.nav.alerts'))
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.alerts')}</h1>
      </div>
      <p className="alerts-intro muted">{t('seller.alerts.intro')}</p>
      <StaffAlerts />
    </>
  )
}
