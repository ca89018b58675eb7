import { Outlet, useLocation } from '@tanstack/react-router'
import { Footer } from '@/app/footer'
import { Header } from '@/app/header'
import { OfflineBar } from '@/app/offline-bar'
import { CartBar } from '@/features/cart/cart-bar'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { Announcer } from '@/ui/announcer'
import { Toaster } from '@/ui/toaster'

export function StorefrontLayout() {
  const t = useT()
  const path = useLocation({ select: (location) => location.pathname })
  // The cart shows its own sum, and the product page has its own bar in the same place.
  const ownBar = path === paths.cart || path.startsWith('/product/')
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('shell.skip')}
      </a>
      <Header />
      <OfflineBar />
      <main id="main" className="site-main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      {ownBar ? null : <CartBar />}
      <Toaster />
      <Announcer />
    </div>
  )
}
