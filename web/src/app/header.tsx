import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { NavLinks } from '@/app/nav-links'
import { SearchBox } from '@/app/search-box'
import { HeaderAccount, MenuAccountLinks } from '@/features/accounts/header-account'
import { CartLink } from '@/features/cart/cart-link'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { Dialog } from '@/ui/dialog'
import { MenuIcon } from '@/ui/icons'
import { LanguageSwitch } from '@/ui/language-switch'
import { LogoMark } from '@/ui/logo'

/** `messages` are the toasts: in the sticky search row of a phone they never cover a heading. */
export function Header({ messages }: { messages: ReactNode }) {
  const t = useT()
  const lang = useLang()
  const [menuOpen, setMenuOpen] = useState(false)
  const href = useLocation({ select: (location) => location.href })
  const closeMenu = () => setMenuOpen(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of address closes the menu
  useEffect(closeMenu, [href])

  return (
    <header className="site-header">
      <div className="header-row wrap">
        <button
          type="button"
          className="icon-button menu-button"
          aria-label={t('shell.openMenu')}
          aria-expanded={menuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(true)}
        >
          <MenuIcon size={24} />
        </button>
        <Link className="wordmark" to={paths.home}>
          <LogoMark className="wordmark-mark" />
          {localText(settings, 'brand', lang)}
        </Link>
        <nav className="main-nav" aria-label={t('shell.mainNav')}>
          <NavLinks />
        </nav>
        <div className="header-search">
          {/* Only one search box exists at a time: while the menu is open, it is in the menu. */}
          {menuOpen ? null : <SearchBox />}
        </div>
        <div className="header-tools">
          <LanguageSwitch />
          <CartLink />
          <HeaderAccount />
        </div>
      </div>
      {messages}
      {menuOpen ? (
        <Dialog id="menu" variant="sheet" title={t('shell.menu')} onClose={closeMenu}>
          <SearchBox onNavigate={closeMenu} />
          <nav className="menu-nav" aria-label={t('shell.mainNav')}>
            {/* A link to the current page does not change the address, but must close the menu too. */}
            <NavLinks onPick={closeMenu} />
          </nav>
          <MenuAccountLinks onPick={closeMenu} />
        </Dialog>
      ) : null}
    </header>
  )
}
