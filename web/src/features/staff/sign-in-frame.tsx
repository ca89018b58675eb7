import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SellerLogout } from '@/features/staff/header'
import { settings } from '@/lib/first-data'
import { useLang } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { LanguageSwitch } from '@/ui/language-switch'
import { LogoMark } from '@/ui/logo'

type SignInFrameProps = {
  children: ReactNode
  /** Whether the page is still being loaded. */
  busy?: boolean
  /** Whether there is a session, which can be ended here. */
  signedIn?: boolean
}

/** What surrounds every page before the dashboard: the way back to the shop, and the languages. */
export function SignInFrame({ children, busy, signedIn = false }: SignInFrameProps) {
  return (
    <main id="main" className="seller-login" tabIndex={-1} aria-busy={busy}>
      <Link className="wordmark" to={paths.home}>
        <LogoMark className="wordmark-mark" />
        {localText(settings, 'brand', useLang())}
      </Link>
      {children}
      <div className="seller-login-actions">
        <LanguageSwitch />
        {signedIn ? <SellerLogout /> : null}
      </div>
    </main>
  )
}
