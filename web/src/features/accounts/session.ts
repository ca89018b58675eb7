import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type User = Schemas['User']
export type Seller = Schemas['SellerProfile']

type Reply<T> = Parameters<typeof unwrap<{ success: boolean; data: T }>>[0]

/** A question whose no is an answer: 401 means signed out, and nobody is told. */
async function check<T>(reply: Promise<Reply<T>>): Promise<T | null> {
  const answer = await reply
  return answer.response.status === 401 ? null : unwrap(answer).data
}

/** Kept for the whole visit: it is asked once, and only what people do here changes it. */
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

/** The server leaves a readable mark beside the real cookie: without it, the answer can only be no. */
const SESSION_HINT_COOKIE = {
  user: /(?:^|; )(?:__Host-)?session=shopper/,
  seller: /(?:^|; )(?:__Host-)?seller_session=1/,
}
export const hasSessionHint = (who: SessionKind) => SESSION_HINT_COOKIE[who].test(document.cookie)

export const prefetchSession = (who: SessionKind) =>
  who === 'user' ? queryClient.prefetchQuery(sessions.user) : queryClient.prefetchQuery(sessions.seller)

const CHECK_DELAY_MS = 12_000

/** Asks who is there: at once where a mark says that somebody is, otherwise when the visitor first does something. */
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
  // Signed in or out in another tab meanwhile.
  document.addEventListener('visibilitychange', () => {
    const user = queryClient.getQueryData(sessions.user.queryKey)
    if (!document.hidden && user !== undefined && hasSessionHint('user') !== (user !== null))
      void refetchUser()
  })
}

/** Reads the user anew, for when something on the server has changed them. */
export const refetchUser = () => queryClient.prefetchQuery({ ...sessions.user, staleTime: 0 })

/** What else this device forgets when somebody signs out of their own will. */
export const signOutHooks = new Set<() => void>()

/** `pending` until the first answer is there. */
export function useUser(): { user: User | null; pending: boolean } {
  const { data, isPending } = useQuery({ ...sessions.user, enabled: false })
  return { user: data ?? null, pending: isPending }
}
