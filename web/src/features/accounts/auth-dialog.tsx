import { loadWithMessages, type MessageId, useT } from '@/lib/i18n'
import { createStore } from '@/lib/store'
import { Dialog } from '@/ui/dialog'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

const TITLES = {
  login: 'nav.login',
  register: 'auth.signUp',
  forgot: 'auth.forgot',
  link: 'auth.link',
  phone: 'auth.phoneLogin',
} satisfies Record<string, MessageId>
export type AuthMode = keyof typeof TITLES

const shown = createStore<AuthMode | null>(null)

/** Opens and closes the login dialog from anywhere. */
export const authDialog = { show: shown.set, close: () => shown.set(null), use: shown.use }

export async function loadAuthForms() {
  const forms = await loadWithMessages(
    'features/accounts/auth-forms',
    () => import('@/features/accounts/auth-forms'),
  )
  return forms.AuthForms
}

const AuthForms = lazyWithRetry(loadAuthForms, <div className="auth-skeleton skeleton" />)

export function AuthDialog() {
  const t = useT()
  const mode = shown.use()
  return mode ? (
    <Dialog id="login" variant="form" title={t(TITLES[mode])} onClose={authDialog.close}>
      <AuthForms mode={mode} />
    </Dialog>
  ) : null
}
