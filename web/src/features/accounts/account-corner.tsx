import { authDialog, loadAuthForms } from '@/features/accounts/auth-dialog'
import { hinted, useUser } from '@/features/accounts/session'
import { loadWords, type MessageId, useT } from '@/lib/i18n'
import { lazyPart } from '@/ui/lazy-part'

const BLANK = <span className="avatar skeleton" />

const AccountMenu = lazyPart(async () => {
  await loadWords('people')
  return (await import('@/features/accounts/account-menu')).AccountMenu
}, BLANK)
const AccountLinks = lazyPart(async () => {
  await loadWords('people')
  return (await import('@/features/accounts/account-menu')).AccountLinks
})

/** Login, or the person's own menu. Nothing of the latter is fetched for visitors. */
export function AccountCorner() {
  const { user, pending } = useUser()
  return (
    <div className="account-corner">
      {user ? <AccountMenu user={user} /> : pending && hinted('user') ? BLANK : <LoginButton />}
    </div>
  )
}

/** The same for the hamburger menu. */
export function MenuAccount({ onPick }: { onPick: () => void }) {
  const { user } = useUser()
  return user ? <AccountLinks user={user} onPick={onPick} /> : null
}

type LoginButtonProps = { look?: string; label?: MessageId }

export function LoginButton({ look = 'login-button', label = 'nav.login' }: LoginButtonProps) {
  const t = useT()
  const fetchEarly = () => void loadAuthForms().catch(() => {})
  return (
    <button
      type="button"
      className={look}
      aria-haspopup="dialog"
      onPointerEnter={fetchEarly}
      onFocus={fetchEarly}
      onClick={() => authDialog.show('login')}
    >
      {t(label)}
    </button>
  )
}
