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
const CHECK = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  meta: { error: 'session.500', unreachable: 'session.unreachable' },
} as const

export const sessions = {
  user: queryOptions({
    queryKey: ['session', 'user'],
    queryFn: () => check(api.GET('/api/user/isAuth')),
    ...CHECK,
  }),
  seller: queryOptions({
    queryKey: ['session', 'seller'],
    queryFn: () => check(api.GET('/api/seller/checkSeller')),
    ...CHECK,
  }),
}
type Who = keyof typeof sessions

/** The server leaves a readable mark beside the real cookie: without it, the answer can only be no. */
const HINT = { user: /(?:^|; )(?:__Host-)?session=shopper/, seller: /(?:^|; )(?:__Host-)?seller_session=1/ }
export const hinted = (who: Who) => HINT[who].test(document.cookie)

export const askSession = (who: Who) =>
  who === 'user' ? queryClient.prefetchQuery(sessions.user) : queryClient.prefetchQuery(sessions.seller)

const WAIT_MS = 12_000

/** Asks who is there: at once where a mark says that somebody is, otherwise when the visitor first does something. */
export function startSessions() {
  const rest = (['user', 'seller'] as const).filter((who) => {
    if (!hinted(who)) return true
    void askSession(who)
    return false
  })
  const later = () => {
    clearTimeout(timer)
    removeEventListener('pointerdown', later)
    removeEventListener('keydown', later)
    for (const who of rest) void askSession(who)
  }
  const timer = setTimeout(later, WAIT_MS)
  addEventListener('pointerdown', later)
  addEventListener('keydown', later)
  // Signed in or out in another tab meanwhile.
  document.addEventListener('visibilitychange', () => {
    const user = queryClient.getQueryData(sessions.user.queryKey)
    if (!document.hidden && user !== undefined && hinted('user') !== (user !== null)) void askAgain()
  })
}

/** Reads the user anew, for when something on the server has changed them. */
export const askAgain = () => queryClient.prefetchQuery({ ...sessions.user, staleTime: 0 })

/** What else this device forgets when somebody signs out of their own will. */
export const leaving = new Set<() => void>()

/** `pending` until the first answer is there. */
export function useUser(): { user: User | null; pending: boolean } {
  const { data, isPending } = useQuery({ ...sessions.user, enabled: false })
  return { user: data ?? null, pending: isPending }
}
