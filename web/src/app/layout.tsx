import { Outlet, useLocation } from '@tanstack/react-router'
import { Footer } from '@/app/footer'
import { Header } from '@/app/header'
import { AuthDialog } from '@/features/accounts/auth-dialog'
import { useCart } from '@/features/cart/cart-store'
import { useT } from '@/lib/i18n'
import { Announcer } from '@/ui/announcer'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { Toaster } from '@/ui/toaster'

/** Pages without the cart bar: they have something of their own in its place, or no business with it. */
const NO_CART_BAR =
  /^\/(cart|payment|product|profile|add_address|reset-password|confirm-email|cancel-email-change)(\/|$)/
/** It hovers over the page and moves nothing, so it can come later; an empty cart needs none. */
const CartBar = lazyWithRetry(async () => (await import('@/features/cart/cart-bar')).CartBar)
/** Says nothing while the line holds, and sees to it that the shop is kept on this device; neither may delay a page. */
const OfflineBar = lazyWithRetry(async () => (await import('@/app/offline-bar')).OfflineBar)
const SELLER = /^\/seller(\/|$)/

/** What stands around every page. The seller's pages bring their own header and have no footer. */
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
