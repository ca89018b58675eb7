import '@/styles/seller.css'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { askSession, hinted, sessions } from '@/features/accounts/session'
import { openCases } from '@/features/orders/seller-open-cases'
import { OfflineNote } from '@/features/seller/offline-note'
import { SellerHeader } from '@/features/seller/seller-header'
import { SellerLogin } from '@/features/seller/seller-login'
import { SellerNav } from '@/features/seller/seller-nav'
import { settings } from '@/lib/first-data'
import { loadWords, type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { LanguageSwitch } from '@/ui/language-switch'
import { lazyPart } from '@/ui/lazy-part'
import { Mark } from '@/ui/logo'

const SellerFirstPassword = lazyPart(
  async () => {
    const [page] = await Promise.all([import('@/features/seller/seller-first-password'), loadWords('office')])
    return page.SellerFirstPassword
  },
  <LoginPending />,
)

/** What stands around every page of the seller's desk; whoever is not a seller sees the login instead, at any address. */
export function SellerFrame() {
  const { data: seller, isPending } = useQuery({ ...sessions.seller, enabled: false })
  const mustChange = seller?.passwordChangeNeeded === true
  const { data: open = 0 } = useQuery({ ...openCases, enabled: Boolean(seller) && !mustChange })
  useEffect(() => {
    void askSession('seller')
  }, [])
  if (isPending && !hinted('seller')) return <LoginPending />
  if (!isPending && !seller) return <SellerLogin />
  if (seller && mustChange) return <SellerFirstPassword seller={seller} />
  return (
    <div className="seller-frame">
      <SellerHeader seller={seller ?? null} />
      <SellerNav open={open} />
      <main id="main" className="seller-main" tabIndex={-1} aria-busy={!seller}>
        <OfflineNote />
        {seller ? <Outlet /> : <PagePending />}
      </main>
    </div>
  )
}

/** What each page is headed; the server's first view says the same (`SELLER_PAGES` in `site/pages.rs`). */
const HEADINGS: Record<string, MessageId> = {
  [paths.seller]: 'seller.list',
  [paths.sellerAddProduct]: 'seller.addNew',
  [paths.sellerImport]: 'simp.title',
  [paths.sellerOrders]: 'seller.orders',
  [paths.sellerDelivery]: 'sdesk.sheet.title',
  [paths.sellerCategories]: 'nav.categories',
  [paths.sellerOverview]: 'seller.overview',
  [paths.sellerAttention]: 'seller.attention',
  [paths.sellerMoney]: 'seller.money',
  [paths.sellerSettings]: 'seller.settings',
  [paths.sellerNewsletter]: 'seller.newsletter',
  [paths.sellerAudit]: 'seller.audit',
  [paths.sellerSecurity]: 'seller.security',
}

/** Until the server has said who the seller is, nothing of the page itself is shown. */
function PagePending() {
  const t = useT()
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <>
      <div className="seller-title">
        <h1>{t(HEADINGS[path] ?? 'seller.title')}</h1>
      </div>
      <Blank />
    </>
  )
}

/** The login without its fields, because the answer may still be that there is a session. */
function LoginPending() {
  const t = useT()
  return (
    <main id="main" className="seller-door" aria-busy="true" tabIndex={-1}>
      <Link className="wordmark" to={paths.home}>
        <Mark className="wordmark-mark" />
        {localText(settings, 'brand', useLang())}
      </Link>
      <div className="form box">
        <h1>{t('seller.login.title')}</h1>
        <Blank />
      </div>
      <LanguageSwitch />
    </main>
  )
}

function Blank() {
  return (
    <div className="seller-waiting">
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  )
}
