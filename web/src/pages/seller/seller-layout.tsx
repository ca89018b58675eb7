import '@/styles/seller.css'
import '@/styles/forms.css'
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hasSessionHint, prefetchSession, type Seller, sessions } from '@/features/accounts/session'
import { openComplaints } from '@/features/complaints/seller/open-complaints'
import { openCases } from '@/features/orders/seller/open-cases'
import { rememberedRider, rememberRider } from '@/features/riders/remembered-rider'
import { SellerHeader } from '@/features/staff/header'
import { SellerNav } from '@/features/staff/nav'
import { OfflineNote } from '@/features/staff/offline-note'
import { may, mayOpen } from '@/features/staff/permissions'
import { deviceLocked, stepUp } from '@/features/staff/session-guard'
import { SignInFrame } from '@/features/staff/sign-in-frame'
import { useIdleLock } from '@/features/staff/use-idle-lock'
import { loadWithMessages, type MessageId, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useOnline } from '@/lib/use-online'
import { LockIcon } from '@/ui/icons-forms'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { StatePanel } from '@/ui/state-panel'

const loadLogin = () => import('@/features/staff/login')
const SellerLogin = lazyWithRetry(async () => (await loadLogin()).SellerLogin, <LoginPending />)

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

const RequiredSecondFactor = lazyWithRetry(
  async () => {
    const page = await loadWithMessages(
      'features/staff/required-second-factor',
      () => import('@/features/staff/required-second-factor'),
    )
    return page.RequiredSecondFactor
  },
  <LoginPending />,
)

const LockScreen = lazyWithRetry(
  async () => {
    const page = await loadWithMessages(
      'features/staff/lock-screen',
      () => import('@/features/staff/lock-screen'),
    )
    return page.LockScreen
  },
  <LoginPending />,
)

const StepUpDialog = lazyWithRetry(async () => {
  const dialog = await loadWithMessages(
    'features/staff/step-up-dialog',
    () => import('@/features/staff/step-up-dialog'),
  )
  return dialog.StepUpDialog
})

/** Loaded after the page, which must not wait for it. */
const NewOrderAlert = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/orders/seller/new-order-alert',
        () => import('@/features/orders/seller/new-order-alert'),
      )
    ).NewOrderAlert,
)

/** The layout of every page of the seller dashboard; a visitor who is not a seller sees the login instead, at any URL. */
export function SellerLayout() {
  const path = useLocation({ select: (location) => location.pathname })
  const { seller, isPending } = useSeller(path)
  const locked = deviceLocked.use()
  const asksForCode = stepUp.use() !== null
  const mustChange = seller?.passwordChangeNeeded === true
  const mustSetUp = seller?.secondFactorSetupNeeded === true
  const isReady = Boolean(seller) && !mustChange && !mustSetUp && !locked
  const enabled = isReady && may(seller, 'cases.handle')
  const { data: cases = 0 } = useQuery({ ...openCases, enabled })
  const { data: complaints = 0 } = useQuery({ ...openComplaints, enabled })
  useIdleLock(isReady && seller?.deviceRemembered === true)
  useEffect(() => {
    void prefetchSession('seller')
    // Together with the check of the session, so that a seller who has none does not wait twice.
    if (!hasSessionHint('seller')) void Promise.allSettled([loadLogin()])
  }, [])
  // The invited person has no session yet.
  if (path === paths.sellerJoin)
    return (
      <SignInFrame>
        <Outlet />
      </SignInFrame>
    )
  const hears = seller && may(seller, 'orders.read')
  if (locked)
    return (
      <>
        <LockScreen />
        {hears ? <NewOrderAlert /> : null}
      </>
    )
  if (isPending && !hasSessionHint('seller')) return <LoginPending />
  if (!isPending && !seller) return <SellerLogin />
  if (seller && mustChange) return <SellerFirstPassword seller={seller} />
  if (seller && mustSetUp) return <RequiredSecondFactor seller={seller} />
  return (
    <div className="seller-layout">
      <SellerHeader seller={seller ?? null} />
      <SellerNav seller={seller ?? null} open={cases + complaints} />
      <main id="main" className="seller-main" tabIndex={-1} aria-busy={!seller}>
        <OfflineNote />
        {hears ? <NewOrderAlert /> : null}
        {seller ? <AllowedPage seller={seller} path={path} /> : <PagePending />}
      </main>
      {asksForCode ? <StepUpDialog /> : null}
    </div>
  )
}

/** Who is signed in. Without a connection, the list of stops opens for the rider who used this phone last. */
function useSeller(path: string) {
  const { data, isPending, isError } = useQuery({ ...sessions.seller, enabled: false })
  const online = useOnline()
  useEffect(() => {
    if (data !== undefined) rememberRider(data)
  }, [data])
  const isCutOff = data === undefined && (isError || !online) && hasSessionHint('seller')
  const rider = isCutOff && path === paths.sellerDeliveries ? rememberedRider() : undefined
  return { seller: data ?? rider, isPending: isPending && !rider }
}

/** The page, if the role allows it. A rider's first page is the list of deliveries. */
function AllowedPage({ seller, path }: { seller: Seller; path: string }) {
  const t = useT()
  if (mayOpen(seller, path)) return <Outlet />
  if (path === paths.seller && mayOpen(seller, paths.sellerDeliveries))
    return <Navigate to={paths.sellerDeliveries} replace />
  return (
    <StatePanel
      icon={<LockIcon size={36} />}
      heading="h1"
      title={t('seller.notAllowed')}
      text={t('seller.notAllowedText')}
    />
  )
}

/** The heading of each page; the server's first view has the same (`SELLER_PAGES` in `site/static_pages.rs`). */
const HEADINGS: Record<string, MessageId> = {
  [paths.seller]: 'seller.nav.products',
  [paths.sellerAddProduct]: 'seller.nav.addProduct',
  [paths.sellerImport]: 'seller.imports.title',
  [paths.sellerOrders]: 'seller.nav.orders',
  [paths.sellerPacking]: 'seller.nav.packing',
  [paths.sellerDelivery]: 'seller.delivery.title',
  [paths.sellerCategories]: 'nav.categories',
  [paths.sellerCoupons]: 'seller.nav.coupons',
  [paths.sellerSeasons]: 'seller.nav.seasons',
  [paths.sellerPolicies]: 'seller.nav.policies',
  [paths.sellerOverview]: 'seller.nav.overview',
  [paths.sellerAttention]: 'seller.nav.attention',
  [paths.sellerMoney]: 'seller.nav.money',
  [paths.sellerCash]: 'seller.nav.cash',
  [paths.sellerSettings]: 'seller.nav.settings',
  [paths.sellerNewsletter]: 'seller.nav.newsletter',
  [paths.sellerAudit]: 'seller.nav.audit',
  [paths.sellerSecurity]: 'seller.nav.security',
  [paths.sellerStaff]: 'seller.nav.staff',
  [paths.sellerDeliveryZones]: 'seller.nav.deliveryZones',
  [paths.sellerDeliveries]: 'seller.nav.deliveries',
  [paths.sellerAlerts]: 'seller.nav.alerts',
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
    <SignInFrame busy>
      <div className="form box">
        <h1>{t('seller.login.title')}</h1>
        <FormSkeleton />
      </div>
    </SignInFrame>
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
