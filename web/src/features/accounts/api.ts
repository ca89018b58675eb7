// The shopper's account: the session (session.ts), the header's account menu, the dialog to log in and register, and
// the sections of the profile. Calls /api/user only; the address book belongs to the module addresses.
import { api, type Schemas, unwrap, unwrapData } from '@/api/client'
import { USER_KEY } from '@/features/accounts/sign-in-out'

export type Device = Schemas['ShopperSession']
export type Identity = Schemas['VerifiedIdentity']
export type LinkedIdentity = Schemas['LinkedIdentity']

/** Every call about the account; the two calls that may carry a photo are in photo-api.ts. */
export const accountsApi = {
  login: (email: string, password: string) =>
    unwrapData(api.POST('/api/user/login', { body: { email, password } })),
  sendLoginCode: (phone: string) =>
    unwrapData(api.POST('/api/user/phone/send_login_code', { body: { phone } })),
  loginByPhone: (token: string, code: string) =>
    unwrapData(api.POST('/api/user/phone/login', { body: { token, code } })),
  sendPhoneCode: (phone: string) => unwrapData(api.POST('/api/user/phone/send_code', { body: { phone } })),
  confirmPhone: (token: string, code: string) =>
    unwrapData(api.POST('/api/user/phone/confirm', { body: { token, code } })),
  logout: () => unwrapData(api.GET('/api/user/logout')),
  forgotPassword: (email: string) => unwrapData(api.POST('/api/user/password/forgot', { body: { email } })),
  resetPassword: (token: string, password: string) =>
    unwrapData(api.POST('/api/user/password/reset', { body: { token, password } })),
  changePassword: (currentPassword: string, newPassword: string) =>
    unwrapData(api.POST('/api/user/password/change', { body: { currentPassword, newPassword } })),
  provePassword: (password: string) =>
    unwrapData(api.POST('/api/user/password/verify', { body: { password } })),
  confirmEmail: (token: string) => unwrapData(api.POST('/api/user/email/confirm', { body: { token } })),
  cancelEmailChange: (token: string) => unwrapData(api.POST('/api/user/email/cancel', { body: { token } })),
  identities: () => unwrapData(api.GET('/api/user/identities')),
  removeIdentity: (id: string) =>
    unwrapData(api.DELETE('/api/user/identities/{id}', { params: { path: { id } } })),
  resendConfirmation: () => unwrapData(api.POST('/api/user/email/resend')),
  devices: () => unwrapData(api.GET('/api/user/sessions')),
  signOutDevice: (id: string) =>
    unwrapData(api.DELETE('/api/user/sessions/{id}', { params: { path: { id } } })),
  signOutEverywhere: () => unwrapData(api.POST('/api/user/sessions/end_all')),
  deleteAccount: (password: string | undefined) =>
    unwrapData(api.POST('/api/user/delete', { body: password === undefined ? {} : { password } })),
  googleIdentity: () => unwrapData(api.GET('/api/user/google/identity')),
  googleLogin: (identity: Identity, password?: string) =>
    unwrapData(
      api.POST('/api/user/googleLogin', {
        body: password === undefined ? identity : { ...identity, password },
      }),
    ),
}

export const userQueries = {
  devices: { queryKey: [USER_KEY, 'devices'], queryFn: accountsApi.devices },
  identities: { queryKey: [USER_KEY, 'identities'], queryFn: accountsApi.identities },
}

/** Downloads the shopper's data as a file. It uses a script, so that a refusal shows a message instead of raw text. */
export async function exportData() {
  const response = await fetch('/api/user/export', { credentials: 'same-origin' })
  if (!response.ok) unwrap({ error: await response.json().catch(() => undefined), response })
  const address = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: address, download: 'thunse-my-data.json' })
  link.click()
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
