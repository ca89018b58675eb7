import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { accountsApi, type Identity } from '@/features/accounts/api'
import { authDialog } from '@/features/accounts/auth-dialog'
import { setSignedIn } from '@/features/accounts/sign-in-out'
import { toast } from '@/ui/toast'

let pending: Identity | null = null

/** The URL that leads to the provider and back to this page. `fresh` requires a new login, before sensitive changes. */
export const googleSignInUrl = (fresh = false) =>
  `/api/user/google/start?${new URLSearchParams({
    return: location.pathname + location.search,
    ...(fresh ? { fresh: 'true' } : {}),
  })}`

export const pendingIdentity = () => pending

/** Connects the identity with the account of the same email address, whose password proves the ownership. */
export async function linkIdentity(password: string) {
  if (!pending) throw new Error('No identity to connect.')
  await setSignedIn(await accountsApi.googleLogin(pending, password))
  pending = null
}

/** Signs in with the identity that the server has verified, after the return from the identity provider. */
export async function finishGoogleSignIn(result: string) {
  if (result === 'not_fresh') return toast.error('auth.google.notFresh')
  if (result !== 'verified') return toast.error('auth.google.error')
  try {
    const identity = await accountsApi.googleIdentity()
    pending = identity
    await setSignedIn(await accountsApi.googleLogin(identity))
    pending = null
    toast.success('auth.google.ok')
  } catch (error) {
    if (error instanceof ApiError && error.code === 'link_needed') return authDialog.show('link')
    pending = null
    toast.error(serverText(error, { refused: 'auth.google.failed', broken: 'auth.google.error' }))
  }
}
