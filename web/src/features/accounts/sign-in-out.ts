import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { sessions, signOutHooks, type User } from '@/features/accounts/session'

/** Everything kept about the person lies under this key, so that it can be dropped in one go. */
export const USER_KEY = 'person'

/** Set when somebody has just signed in by hand: the button they pressed is gone, so their menu takes the focus. */
export const recentSignIn = { fresh: false }

export async function setSignedIn(user: User) {
  // An answer of the check that is still on its way knows less than we do.
  await queryClient.cancelQueries({ queryKey: sessions.user.queryKey })
  queryClient.setQueryData(sessions.user.queryKey, user)
}

const USER_STORAGE_PREFIX = 'thunse.person.'

/** Where things of the person are kept on this device: gone when they sign out, and drafts also with the tab. */
export const userStorageKey = (name: string) => USER_STORAGE_PREFIX + name

function clearUserStorage(storage: Storage) {
  for (const key of Object.keys(storage)) {
    if (key.startsWith(USER_STORAGE_PREFIX)) storage.removeItem(key)
  }
}

/** They left of their own will; the next one at this device may be somebody else. */
export function clearAfterSignOut() {
  for (const tidy of signOutHooks) tidy()
  clearSession()
  try {
    clearUserStorage(localStorage)
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}

/** The session is over, the person perhaps still here: what they were about to buy stays. */
function clearSession() {
  queryClient.setQueryData(sessions.user.queryKey, null)
  queryClient.removeQueries({ queryKey: [USER_KEY] })
  try {
    clearUserStorage(sessionStorage)
  } catch {
    // As above.
  }
}

/** The session may have ended elsewhere: then this page must not go on pretending. */
export function handleSessionEnded(error: unknown): boolean {
  const ended = error instanceof ApiError && error.status === 401 && error.code === 'signed_out'
  if (ended) clearSession()
  return ended
}
