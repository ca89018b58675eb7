import '@/styles/seller.css'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hasSessionHint, prefetchSession, sessions } from '@/features/accounts/session'
import { openCases } from '@/features/orders/seller/open-cases'
import { SellerHeader } from '@/features/staff/header'
import { SellerLogin } from '@/features/staff/login'
import { SellerNav } from '@/features/staff/nav'
import { OfflineNote } from '@/features/staff/offline-note'
import { settings } from '@/lib/first-data'
import { loadWithMessages, type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { LanguageSwitch } from '@/ui/language-switch'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LogoMark } from '@/ui/logo'

const SellerFirstPassword = lazyWithRetry(
  async () => {
    const page = await loadWithMessages(
      'features/staff/first-password',
      () => import('@/features/staff/first-password'),
    )
    return page.SellerFirstPassword
  },
  <LoginPending />,
)

/** The layout of every page of the seller dashboard; a visitor who is not a seller sees the login instead, at any URL. */
export function SellerLayout() {
  const { data: seller, isPending } = useQuery({ ...sessions.seller, enabled: false })
  const mustChange = seller?.passwordChangeNeeded === true
  const { data: open = 0 } = useQuery({ ...openCases, enabled: Boolean(seller) && !mustChange })
  useEffect(() => {
    void prefetchSession('seller')
  }, [])
  if (isPending && !hasSessionHint('seller')) return <LoginPending />
  if (!isPending && !seller) return <SellerLogin />
  if (seller && mustChange) return <SellerFirstPassword seller={seller} />
  return (
    <div className="seller-layout">
      <SellerHeader seller={seller ?? null} />
      <SellerNav open={open} />
      <main id="main" className="seller-main" tabIndex={-1} aria-busy={!seller}>
        <OfflineNote />
        {seller ? <Outlet /> : <PagePending />}
      </main>
    </div>
  )
}

/** The heading of each page; the server's first view has the same (`SELLER_PAGES` in `site/static_pages.rs`). */
const HEADINGS: Record<string, MessageId> = {
  [paths.seller]: 'seller.nav.products',
  [paths.sellerAddProduct]: 'seller.nav.addProduct',
  [paths.sellerImport]: 'seller.imports.title',
  [paths.sellerOrders]: 'seller.nav.orders',
  [paths.sellerDelivery]: 'seller.delivery.title',
  [paths.sellerCategories]: 'nav.categories',
  [paths.sellerOverview]: 'seller.nav.overview',
  [paths.sellerAttention]: 'seller.nav.attention',
  [paths.sellerMoney]: 'seller.nav.money',
  [paths.sellerSettings]: 'seller.nav.settings',
  [paths.sellerNewsletter]: 'seller.nav.newsletter',
  [paths.sellerAudit]: 'seller.nav.audit',
  [paths.sellerSecurity]: 'seller.nav.security',
}

/** Until the session check has finished, no content of the page is shown. */
function PagePending() {
  const t = useT()
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <>
      <div className="seller-title">
        <h1>{t(HEADINGS[path] ?? 'seller.title')}</h1>
      </div>
      <FormSkeleton />
    </>
  )
}

/** The login without its fields, because there may be a session. */
function LoginPending() {
  const t = useT()
  return (
    <main id="main" className="seller-login" aria-busy="true" tabIndex={-1}>
      <Link className="wordmark" to={paths.home}>
        <LogoMark className="wordmark-mark" />
        {localText(settings, 'brand', useLang())}
      </Link>
      <div className="form box">
        <h1>{t('seller.login.title')}</h1>
        <FormSkeleton />
      </div>
      <LanguageSwitch />
    </main>
  )
}

function FormSkeleton() {
  return (
    <div className="seller-skeleton">
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  )
}
