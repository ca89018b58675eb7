import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { authDialog } from '@/features/accounts/auth-dialog'
import { prefetchSession, sessions, useUser } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { type Wishlist, wishlistApi, wishlistQueries } from '@/features/wishlist/api'
import { toast } from '@/ui/toast'

/** The lists in which a shopper marks products. */
type MarkKind = keyof typeof wishlistApi

/** What a visitor wanted to mark; it is done after the login. */
let waitingForLogin: { kind: MarkKind; id: string } | null = null
/** Requests go one after the other, so that the last press decides. */
let lastRequest: Promise<unknown> = Promise.resolve()

function askToLogin(kind: MarkKind, id: string) {
  waitingForLogin = { kind, id }
  authDialog.show('login')
}

const { queryKey } = wishlistQueries.marked

function apply(kind: MarkKind, id: string, wanted: boolean) {
  queryClient.setQueryData(queryKey, (list: Wishlist | undefined) => {
    if (!list) return list
    const others = list[kind].filter((each) => each !== id)
    return { ...list, [kind]: wanted ? [id, ...others] : others }
  })
}

/** Shows the change at once and takes it back if the server refuses it. Returns whether it was accepted. */
async function setMark(kind: MarkKind, id: string, wanted: boolean): Promise<boolean> {
  // A response on its way would be older than this change.
  await queryClient.cancelQueries({ queryKey })
  apply(kind, id, wanted)
  const request = lastRequest.then(() => wishlistApi[kind](id, wanted))
  const settled = request.catch(() => {})
  lastRequest = settled
  try {
    await request
    // A list that was requested in the meantime, after a login, may not contain the change yet, also if it arrives later.
    if (lastRequest === settled) {
      await queryClient.cancelQueries({ queryKey })
      apply(kind, id, wanted)
    }
    return true
  } catch (error) {
    apply(kind, id, !wanted)
    if (handleSessionEnded(error)) askToLogin(kind, id)
    else toast.error(serverText(error, { refused: 'wishlist.failed', broken: 'wishlist.failed' }))
    return false
  } finally {
    if (!queryClient.getQueryData(queryKey)) await queryClient.invalidateQueries({ queryKey })
  }
}

/**
 * Whether the shopper has marked a product, and a function that changes it. A visitor is asked to log in first.
 * `onMarked` is called when a new mark is accepted.
 */
export function useMark(kind: MarkKind, id: string, onMarked?: () => void) {
  const { user } = useUser()
  const { data } = useQuery({ ...wishlistQueries.marked, enabled: user !== null })
  const marked = user !== null && data?.[kind].includes(id) === true

  const change = async (wanted: boolean) => {
    if ((await setMark(kind, id, wanted)) && wanted) onMarked?.()
  }
  const dialog = authDialog.use()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the login is done or the dialog is closed
  useEffect(() => {
    if (dialog || waitingForLogin?.kind !== kind || waitingForLogin.id !== id) return
    waitingForLogin = null
    if (user) void change(true)
  }, [user, dialog, kind, id])

  // The page was left while the dialog was open.
  useEffect(
    () => () => {
      if (waitingForLogin?.kind === kind && waitingForLogin.id === id) waitingForLogin = null
    },
    [kind, id],
  )

  const toggle = async () => {
    // The session may not have been checked yet.
    if (!user) await prefetchSession('user')
    if (queryClient.getQueryData(sessions.user.queryKey)) await change(!marked)
    else askToLogin(kind, id)
  }
  return { marked, toggle: () => void toggle() }
}
