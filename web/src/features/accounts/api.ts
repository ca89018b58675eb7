import { api, dataOf, Refusal, type Schemas, unwrap } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { sessions, type User } from '@/features/accounts/session'

export type Device = Schemas['SignedIn']
export type Identity = Schemas['Vouched']

/** Every call that is about the person, each once; the two that may carry a photo are in photo-api.ts. */
export const accountsApi = {
  login: (email: string, password: string) =>
    dataOf(api.POST('/api/user/login', { body: { email, password } })),
  logout: () => dataOf(api.GET('/api/user/logout')),
  forgotPassword: (email: string) => dataOf(api.POST('/api/user/password/forgot', { body: { email } })),
  resetPassword: (token: string, password: string) =>
    dataOf(api.POST('/api/user/password/reset', { body: { token, password } })),
  changePassword: (currentPassword: string, newPassword: string) =>
    dataOf(api.POST('/api/user/password/change', { body: { currentPassword, newPassword } })),
  confirmEmail: (token: string) => dataOf(api.POST('/api/user/email/confirm', { body: { token } })),
  resendConfirmation: () => dataOf(api.POST('/api/user/email/resend')),
  devices: () => dataOf(api.GET('/api/user/sessions')),
  signOutDevice: (id: string) => dataOf(api.DELETE('/api/user/sessions/{id}', { params: { path: { id } } })),
  signOutEverywhere: () => dataOf(api.POST('/api/user/sessions/end_all')),
  deleteAccount: (password: string | undefined) =>
    dataOf(api.POST('/api/user/delete', { body: password === undefined ? {} : { password } })),
  googleIdentity: () => dataOf(api.GET('/api/user/google/identity')),
  googleLogin: (identity: Identity, password?: string) =>
    dataOf(
      api.POST('/api/user/googleLogin', {
        body: password === undefined ? identity : { ...identity, password },
      }),
    ),
}

/** Everything kept about the person lies under this key, so that it can be dropped in one go. */
export const PERSON = 'person'

export const personQueries = {
  devices: { queryKey: [PERSON, 'devices'], queryFn: accountsApi.devices },
}

/** Set when somebody has just signed in by hand: the button they pressed is gone, so their menu takes the focus. */
export const arrival = { fresh: false }

export async function signedIn(user: User) {
  // An answer of the check that is still on its way knows less than we do.
  await queryClient.cancelQueries({ queryKey: sessions.user.queryKey })
  queryClient.setQueryData(sessions.user.queryKey, user)
}

const LOCAL = 'thunse.person.'

/** Where a person's drafts are kept: gone with the tab, and gone when they sign out. */
export const personKey = (name: string) => LOCAL + name

export function signedOut() {
  queryClient.setQueryData(sessions.user.queryKey, null)
  queryClient.removeQueries({ queryKey: [PERSON] })
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(LOCAL)) sessionStorage.removeItem(key)
    }
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}

/** The session may have ended elsewhere: then this page must not go on pretending. */
export function endedElsewhere(error: unknown): boolean {
  const ended = error instanceof Refusal && error.status === 401 && error.code === 'signed_out'
  if (ended) signedOut()
  return ended
}

/** Brings the person's data as a file. Asked for by script, so that a no can be explained instead of shown as raw text. */
export async function exportData() {
  const response = await fetch('/api/user/export', { credentials: 'same-origin' })
  if (!response.ok) unwrap({ error: await response.json().catch(() => undefined), response })
  const address = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: address, download: 'thunse-my-data.json' })
  link.click()
  // Some browsers read the file only after this moment.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
