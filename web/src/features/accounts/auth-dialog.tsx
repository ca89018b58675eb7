import { loadWords, type MessageId, useT } from '@/lib/i18n'
import { createStore } from '@/lib/store'
import { Dialog } from '@/ui/dialog'
import { lazyPart } from '@/ui/lazy-part'

const TITLES = {
  login: 'nav.login',
  register: 'auth.signUp',
  forgot: 'auth.forgot',
  link: 'auth.link',
} satisfies Record<string, MessageId>
export type AuthMode = keyof typeof TITLES

const shown = createStore<AuthMode | null>(null)

/** The login dialog can be called for from anywhere. */
export const authDialog = { show: shown.set, close: () => shown.set(null) }

export async function loadAuthForms() {
  const [forms] = await Promise.all([import('@/features/accounts/auth-forms'), loadWords('people')])
  return forms.AuthForms
}

const AuthForms = lazyPart(loadAuthForms, <div className="auth-blank skeleton" />)

export function AuthDialog() {
  const t = useT()
  const mode = shown.use()
  return mode ? (
    <Dialog id="login" look="form" title={t(TITLES[mode])} onClose={authDialog.close}>
      <AuthForms mode={mode} />
    </Dialog>
  ) : null
}
