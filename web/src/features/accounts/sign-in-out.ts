import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { sessions, signOutHooks, type User } from '@/features/accounts/session'

/** The key of every query about the shopper, so that all of them can be dropped together. */
export const USER_KEY = 'person'

/** Set after a sign-in by hand: the pressed button has disappeared, so the account menu takes the focus. */
export const recentSignIn = { fresh: false }

export async function setSignedIn(user: User) {
  // The response of a pending session check would be older than this sign-in.
  await queryClient.cancelQueries({ queryKey: sessions.user.queryKey })
  queryClient.setQueryData(sessions.user.queryKey, user)
}

const USER_STORAGE_PREFIX = 'thunse.person.'

/** The storage key for data of the shopper, which is removed at sign-out; drafts also end with the tab. */
export const userStorageKey = (name: string) => USER_STORAGE_PREFIX + name

function clearUserStorage(storage: Storage) {
  for (const key of Object.keys(storage)) {
    if (key.startsWith(USER_STORAGE_PREFIX)) storage.removeItem(key)
  }
}

/** The shopper signed out deliberately; the next person on this device may be another one. */
export function clearAfterSignOut() {
  for (const tidy of signOutHooks) tidy()
  clearSession()
  try {
    clearUserStorage(localStorage)
  } catch {
    // Where storage is forbidden, nothing was stored.
  }
}

/** The session has ended, but the shopper may still be here, so a pending order stays. */
function clearSession() {
  queryClient.setQueryData(sessions.user.queryKey, null)
  queryClient.removeQueries({ queryKey: [USER_KEY] })
  try {
    clearUserStorage(sessionStorage)
  } catch {
    // Storage is forbidden, as above.
  }
}

/** The session may have ended elsewhere: this page must then show the shopper as signed out. */
export function handleSessionEnded(error: unknown): boolean {
  const ended = error instanceof ApiError && error.status === 401 && error.code === 'signed_out'
  if (ended) clearSession()
  return ended
}
