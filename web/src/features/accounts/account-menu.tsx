import '@/styles/account.css'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { accountsApi } from '@/features/accounts/api'
import { Avatar } from '@/features/accounts/avatar'
import type { User } from '@/features/accounts/session'
import { clearAfterSignOut, recentSignIn } from '@/features/accounts/sign-in-out'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { ReceiptIcon } from '@/ui/icons'
import { LogoutIcon, PersonIcon } from '@/ui/icons-forms'
import { HeartIcon } from '@/ui/icons-wishlist'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { useDismiss } from '@/ui/use-dismiss'

/** A button that opens a list of links; a plain list, not an application menu, so that Tab walks through it. */
export function AccountMenu({ user }: { user: User }) {
  const t = useT()
  const id = useId()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (recentSignIn.fresh && document.activeElement === document.body) button.current?.focus()
    recentSignIn.fresh = false
  }, [])

  useDismiss(open, box, () => setOpen(false))

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where the focus goes
    <div
      ref={box}
      className="account-menu"
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-expanded={open}
        aria-controls={id}
        aria-label={t('account.menu', { name: user.name })}
        data-verbatim={user.name}
        onClick={() => setOpen(!open)}
      >
        <Avatar user={user} />
      </button>
      {open ? (
        <div id={id} className="account-list">
          <p className="account-name">
            <strong translate="no">{user.name}</strong>
            <span translate="no">{user.email}</span>
          </p>
          <Links onPick={() => setOpen(false)} />
        </div>
      ) : null}
    </div>
  )
}

/** The same links inside the hamburger menu. */
export function AccountLinks({ user, onPick }: { user: User; onPick: () => void }) {
  const t = useT()
  return (
    <nav className="menu-nav menu-account" aria-label={t('account.nav')}>
      <p className="account-name">
        <Avatar user={user} />
        <strong translate="no">{user.name}</strong>
      </p>
      <Links onPick={onPick} />
    </nav>
  )
}

function Links({ onPick }: { onPick: () => void }) {
  const t = useT()
  return (
    <>
      <Link to={paths.profile} onClick={onPick}>
        <PersonIcon />
        {t('nav.profile')}
      </Link>
      <Link to={paths.orders} onClick={onPick}>
        <ReceiptIcon />
        {t('nav.myOrders')}
      </Link>
      <Link to={paths.favourites} onClick={onPick}>
        <HeartIcon />
        {t('nav.favourites')}
      </Link>
      <LogoutButton onDone={onPick} />
    </>
  )
}

function LogoutButton({ onDone }: { onDone: () => void }) {
  const t = useT()
  const [busy, run] = useBusy()
  const logout = () =>
    run(async () => {
      try {
        await accountsApi.logout()
      } catch (error) {
        toast.error(error instanceof ApiError ? 'logout.failed' : 'logout.error')
        return
      }
      onDone()
      clearAfterSignOut()
      toast.success('logout.ok')
    })
  return (
    <button type="button" disabled={busy} aria-busy={busy} onClick={() => void logout()}>
      {busy ? <span className="spinner" /> : <LogoutIcon />}
      {t('nav.logout')}
    </button>
  )
}
