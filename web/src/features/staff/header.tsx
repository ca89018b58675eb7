import { Link } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { type Seller, sessions } from '@/features/accounts/session'
import { clearAfterSignOut } from '@/features/accounts/sign-in-out'
import { sellerApi } from '@/features/staff/api'
import { clearSellerStorage } from '@/features/staff/storage'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { MenuIcon } from '@/ui/icons'
import { LogoutIcon } from '@/ui/icons-forms'
import { HomeIcon } from '@/ui/icons-seller'
import { LanguageSwitch } from '@/ui/language-switch'
import { LazyThemeSwitch } from '@/ui/lazy-theme-switch'
import { LogoMark } from '@/ui/logo'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { useDismiss } from '@/ui/use-dismiss'

/** `seller` is null until the session check has finished. */
export function SellerHeader({ seller }: { seller: Seller | null }) {
  const t = useT()
  const lang = useLang()
  return (
    <header className="seller-header">
      <Link className="wordmark" to={paths.seller}>
        <LogoMark className="wordmark-mark" />
        {localText(settings, 'brand', lang)}
        <span className="seller-tag">{t('seller.header.tag')}</span>
      </Link>
      <div className="seller-tools">
        <HomeLink />
        <LanguageSwitch />
        {seller ? (
          <>
            <Greeting seller={seller} />
            <LazyThemeSwitch />
            <SellerLogout />
          </>
        ) : (
          <span className="seller-greeting-skeleton skeleton" />
        )}
      </div>
      <HeaderMenu seller={seller} />
    </header>
  )
}

function Greeting({ seller: { name } }: { seller: Seller }) {
  const t = useT()
  return (
    <p className="seller-greeting" data-verbatim={name}>
      {t('seller.header.greeting', { name })}
    </p>
  )
}

function HomeLink() {
  const t = useT()
  return (
    <Link className="button button-outline" to={paths.home}>
      <HomeIcon />
      {t('seller.header.home')}
    </Link>
  )
}

/** Also ends the shopper's session in this browser, as the server does. */
export function SellerLogout() {
  const t = useT()
  const [busy, run] = useBusy()
  const logout = () =>
    run(async () => {
      try {
        await sellerApi.logout()
      } catch {
        toast.error('logout.failed')
        return
      }
      clearAfterSignOut()
      clearSellerStorage()
      queryClient.removeQueries({ queryKey: ['seller'] })
      queryClient.setQueryData(sessions.seller.queryKey, null)
      toast.success('logout.ok')
    })
  return (
    <button
      type="button"
      className="button button-plain"
      disabled={busy}
      aria-busy={busy}
      onClick={() => void logout()}
    >
      {busy ? <span className="spinner" /> : <LogoutIcon />}
      {t('nav.logout')}
    </button>
  )
}

/** On phones, a menu for what does not fit into the header; the language switch stays visible. */
function HeaderMenu({ seller }: { seller: Seller | null }) {
  const t = useT()
  const id = useId()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useDismiss(open, box, () => setOpen(false))
  return (
    <div ref={box} className="seller-menu">
      <LanguageSwitch />
      <button
        type="button"
        className="icon-button"
        aria-expanded={open}
        aria-controls={id}
        aria-label={t('seller.header.openMenu')}
        onClick={() => setOpen(!open)}
      >
        <MenuIcon size={24} />
      </button>
      {open ? (
        <div id={id} className="seller-menu-list">
          {seller ? <Greeting seller={seller} /> : null}
          <LazyThemeSwitch />
          <HomeLink />
          {seller ? <SellerLogout /> : null}
        </div>
      ) : null}
    </div>
  )
}
