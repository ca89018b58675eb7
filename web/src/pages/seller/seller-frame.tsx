import '@/styles/seller.css'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { askSession, sessions } from '@/features/accounts/session'
import { openCases } from '@/features/orders/seller-open-cases'
import { OfflineNote } from '@/features/seller/offline-note'
import { SellerHeader } from '@/features/seller/seller-header'
import { SellerLogin } from '@/features/seller/seller-login'
import { SellerNav } from '@/features/seller/seller-nav'
import { settings } from '@/lib/first-data'
import { useLang } from '@/lib/i18n'
import { localText } from '@/lib/local-text'

/** What stands around every page of the seller's desk; whoever is not a seller sees the login instead, at any address. */
export function SellerFrame() {
  const { data: seller, isPending } = useQuery({ ...sessions.seller, enabled: false })
  const { data: open = 0 } = useQuery({ ...openCases, enabled: Boolean(seller) })
  useEffect(() => {
    void askSession('seller')
  }, [])
  if (isPending) return <Waiting />
  if (!seller) return <SellerLogin />
  return (
    <div className="seller-frame">
      <SellerHeader seller={seller} />
      <SellerNav open={open} />
      <main id="main" className="seller-main" tabIndex={-1}>
        <OfflineNote />
        <Outlet />
      </main>
    </div>
  )
}

/** As long as nobody knows who is there, neither the form nor the desk may flash up. */
function Waiting() {
  return (
    <main id="main" className="seller-waiting" aria-busy="true" tabIndex={-1}>
      <h1 className="sr-only">{localText(settings, 'brand', useLang())}</h1>
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </main>
  )
}
