import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoginButton } from '@/features/accounts/account-corner'
import { askSession, useUser } from '@/features/accounts/session'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

/** Nothing can be ordered yet, so nobody has orders; the list itself comes with checkout. */
export function OrdersPage() {
  const t = useT()
  const { user, pending } = useUser()
  usePageTitle(t('nav.myOrders'))
  useEffect(() => {
    void askSession('user')
  }, [])
  return (
    <div className="wrap page">
      <h1>{t('nav.myOrders')}</h1>
      {pending ? null : user ? (
        <StatePanel
          title={t('orders.empty')}
          action={
            <Link className="button button-primary" to={paths.categories}>
              {t('orders.start')}
            </Link>
          }
        />
      ) : (
        <StatePanel title={t('orders.login')} action={<LoginButton look="button button-primary" />} />
      )}
    </div>
  )
}
