import { Refusal } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { leaving, sessions, type User } from '@/features/accounts/session'

/** Everything kept about the person lies under this key, so that it can be dropped in one go. */
export const PERSON = 'person'

/** Set when somebody has just signed in by hand: the button they pressed is gone, so their menu takes the focus. */
export const arrival = { fresh: false }

export async function signedIn(user: User) {
  // An answer of the check that is still on its way knows less than we do.
  await queryClient.cancelQueries({ queryKey: sessions.user.queryKey })
  queryClient.setQueryData(sessions.user.queryKey, user)
}

const LOCAL = 'thunse.person.'

/** Where things of the person are kept on this device: gone when they sign out, and drafts also with the tab. */
export const personKey = (name: string) => LOCAL + name

function forget(storage: Storage) {
  for (const key of Object.keys(storage)) {
    if (key.startsWith(LOCAL)) storage.removeItem(key)
  }
}

/** They left of their own will; the next one at this device may be somebody else. */
export function signedOut() {
  for (const tidy of leaving) tidy()
  sessionEnded()
  try {
    forget(localStorage)
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}

/** The session is over, the person perhaps still here: what they were about to buy stays. */
function sessionEnded() {
  queryClient.setQueryData(sessions.user.queryKey, null)
  queryClient.removeQueries({ queryKey: [PERSON] })
  try {
    forget(sessionStorage)
  } catch {
    // As above.
  }
}

/** The session may have ended elsewhere: then this page must not go on pretending. */
export function endedElsewhere(error: unknown): boolean {
  const ended = error instanceof Refusal && error.status === 401 && error.code === 'signed_out'
  if (ended) sessionEnded()
  return ended
}
