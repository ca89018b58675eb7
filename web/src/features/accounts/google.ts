import { Refusal } from '@/api/client'
import { serverText } from '@/api/server-text'
import { accountsApi, type Identity } from '@/features/accounts/api'
import { authDialog } from '@/features/accounts/auth-dialog'
import { signedIn } from '@/features/accounts/person'
import { loadWords } from '@/lib/i18n'
import { toast } from '@/ui/toast'

let held: Identity | null = null

/** To the provider and back to this page. A fresh login is asked for before something delicate. */
export const googleStart = (fresh = false) =>
  `/api/user/google/start?${new URLSearchParams({
    return: location.pathname + location.search,
    ...(fresh ? { fresh: 'true' } : {}),
  })}`

export const heldIdentity = () => held

/** The account with this address has a password: whoever knows it may connect the two. */
export async function linkIdentity(password: string) {
  if (!held) throw new Error('No identity to connect.')
  await signedIn(await accountsApi.googleLogin(held, password))
  held = null
}

/** The browser comes back from the identity provider; the server holds what it verified, and now we sign in with it. */
export async function finishGoogle(result: string) {
  await loadWords('people')
  if (result === 'not_fresh') return toast.error('auth.google.notFresh')
  if (result !== 'verified') return toast.error('auth.google.error')
  try {
    const identity = await accountsApi.googleIdentity()
    held = identity
    await signedIn(await accountsApi.googleLogin(identity))
    held = null
    toast.success('auth.google.ok')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'link_needed') return authDialog.show('link')
    held = null
    toast.error(serverText(error, { refused: 'auth.google.failed', broken: 'auth.google.error' }))
  }
}
