import { Outlet, useLocation } from '@tanstack/react-router'
import { Footer } from '@/app/footer'
import { Header } from '@/app/header'
import { AuthDialog } from '@/features/accounts/auth-dialog'
import { useCart } from '@/features/cart/cart-store'
import { useT } from '@/lib/i18n'
import { Announcer } from '@/ui/announcer'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { Toaster } from '@/ui/toaster'

/** Pages without the cart bar: they have a bar of their own, or do not need one. */
const NO_CART_BAR =
  /^\/(cart|payment|product|profile|add_address|reset-password|confirm-email|cancel-email-change)(\/|$)/
/** The cart bar floats over the page and moves nothing, so it can load later; an empty cart does not need it. */
const CartBar = lazyWithRetry(async () => (await import('@/features/cart/cart-bar')).CartBar)
/** Shows nothing while the connection works, and registers the service worker; neither may delay a page. */
const OfflineBar = lazyWithRetry(async () => (await import('@/app/offline-bar')).OfflineBar)
const SELLER = /^\/seller(\/|$)/

/** The layout around every page. The seller's pages have their own header and no footer. */
export function Layout() {
  const t = useT()
  const path = useLocation({ select: (location) => location.pathname })
  const shop = !SELLER.test(path)
  const filled = Object.keys(useCart()).length > 0
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('shell.skip')}
      </a>
      {shop ? (
        <>
          <Header messages={<Toaster />} />
          <OfflineBar />
          <main id="main" className="site-main" tabIndex={-1}>
            <Outlet />
          </main>
          <Footer />
          {filled && !NO_CART_BAR.test(path) ? <CartBar /> : null}
          <AuthDialog />
        </>
      ) : (
        <>
          <Outlet />
          <Toaster />
        </>
      )}
      <Announcer />
    </div>
  )
}
