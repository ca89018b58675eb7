import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type User = Schemas['User']
export type Seller = Schemas['SellerProfile']

type Reply<T> = Parameters<typeof unwrap<{ success: boolean; data: T }>>[0]

/** Returns null for a 401, which means signed out and is not an error here. */
async function check<T>(reply: Promise<Reply<T>>): Promise<T | null> {
  const answer = await reply
  return answer.response.status === 401 ? null : unwrap(answer).data
}

/** Fetched once per visit: only actions in this browser change it. */
const SESSION_QUERY = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  meta: { error: 'session.500', unreachable: 'session.unreachable' },
} as const

export const sessions = {
  user: queryOptions({
    queryKey: ['session', 'user'],
    queryFn: () => check(api.GET('/api/user/isAuth')),
    ...SESSION_QUERY,
  }),
  seller: queryOptions({
    queryKey: ['session', 'seller'],
    queryFn: () => check(api.GET('/api/seller/checkSeller')),
    ...SESSION_QUERY,
  }),
}
type SessionKind = keyof typeof sessions

/** A cookie that scripts can read, beside the session's own: without it, there is no session. */
const SESSION_HINT_COOKIE = {
  user: /(?:^|; )(?:__Host-)?session=shopper/,
  seller: /(?:^|; )(?:__Host-)?seller_session=1/,
}
export const hasSessionHint = (who: SessionKind) => SESSION_HINT_COOKIE[who].test(document.cookie)

export const prefetchSession = (who: SessionKind) =>
  who === 'user' ? queryClient.prefetchQuery(sessions.user) : queryClient.prefetchQuery(sessions.seller)

const CHECK_DELAY_MS = 12_000

/** Checks both sessions: at once where the hint cookie is set, otherwise at the first action or after a delay. */
export function startSessionChecks() {
  const rest = (['user', 'seller'] as const).filter((who) => {
    if (!hasSessionHint(who)) return true
    void prefetchSession(who)
    return false
  })
  const later = () => {
    clearTimeout(timer)
    removeEventListener('pointerdown', later)
    removeEventListener('keydown', later)
    for (const who of rest) void prefetchSession(who)
  }
  const timer = setTimeout(later, CHECK_DELAY_MS)
  addEventListener('pointerdown', later)
  addEventListener('keydown', later)
  // The shopper may have signed in or out in another tab.
  document.addEventListener('visibilitychange', () => {
    const user = queryClient.getQueryData(sessions.user.queryKey)
    if (!document.hidden && user !== undefined && hasSessionHint('user') !== (user !== null))
      void refetchUser()
  })
}

/** Fetches the user again after a change on the server. */
export const refetchUser = () => queryClient.prefetchQuery({ ...sessions.user, staleTime: 0 })

/** Callbacks that clear other data on this device when the shopper signs out. */
export const signOutHooks = new Set<() => void>()

/** `pending` is true until the first response. */
export function useUser(): { user: User | null; pending: boolean } {
  const { data, isPending } = useQuery({ ...sessions.user, enabled: false })
  return { user: data ?? null, pending: isPending }
}
