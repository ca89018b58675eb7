import { authDialog, loadAuthForms } from '@/features/accounts/auth-dialog'
import { hasSessionHint, useUser } from '@/features/accounts/session'
import { loadWithMessages, type MessageId, useT } from '@/lib/i18n'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

const AVATAR_SKELETON = <span className="avatar skeleton" />

const loadAccountMenu = () =>
  loadWithMessages('features/accounts/account-menu', () => import('@/features/accounts/account-menu'))
const AccountMenu = lazyWithRetry(async () => (await loadAccountMenu()).AccountMenu, AVATAR_SKELETON)
const AccountLinks = lazyWithRetry(async () => (await loadAccountMenu()).AccountLinks)

/** The login button or the shopper's menu. The menu is not fetched for visitors. */
export function HeaderAccount() {
  const { user, pending } = useUser()
  return (
    <div className="header-account">
      {user ? (
        <AccountMenu user={user} />
      ) : pending && hasSessionHint('user') ? (
        AVATAR_SKELETON
      ) : (
        <LoginButton />
      )}
    </div>
  )
}

/** The same for the hamburger menu. */
export function MenuAccountLinks({ onPick }: { onPick: () => void }) {
  const { user } = useUser()
  return user ? <AccountLinks user={user} onPick={onPick} /> : null
}

type LoginButtonProps = { className?: string; label?: MessageId }

export function LoginButton({ className = 'login-button', label = 'nav.login' }: LoginButtonProps) {
  const t = useT()
  const fetchEarly = () => void loadAuthForms().catch(() => {})
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="dialog"
      onPointerEnter={fetchEarly}
      onFocus={fetchEarly}
      onClick={() => authDialog.show('login')}
    >
      {t(label)}
    </button>
  )
}
