import { api, type Schemas, unwrapData } from '@/api/client'

export type SellerDevice = Schemas['SellerSession']

export const securityApi = {
  changePassword: (currentPassword: string, newPassword: string) =>
    unwrapData(api.POST('/api/seller/password/change', { body: { currentPassword, newPassword } })),
  devices: () => unwrapData(api.GET('/api/seller/sessions')),
  /** Signs out one device, or all others without an id. */
  signOut: (id: string | undefined, password: string | undefined) =>
    unwrapData(
      api.POST('/api/seller/sessions/end', {
        body: { ...(id === undefined ? {} : { id }), ...(password === undefined ? {} : { password }) },
      }),
    ),
  /** A new secret for an authenticator app, which becomes valid with `setUpSecondFactor`. */
  startSecondFactor: (password: string | undefined) =>
    unwrapData(
      api.POST('/api/seller/second_factor/start', { body: password === undefined ? {} : { password } }),
    ),
  setUpSecondFactor: (code: string) =>
    unwrapData(api.POST('/api/seller/second_factor/set_up', { body: { code } })),
  confirmSecondFactor: (code: string) =>
    unwrapData(api.POST('/api/seller/second_factor/confirm', { body: { code } })),
  rememberDevice: (pin: string, password: string | undefined) =>
    unwrapData(
      api.POST('/api/seller/device/remember', {
        body: { pin, ...(password === undefined ? {} : { password }) },
      }),
    ),
  forgetDevice: () => unwrapData(api.POST('/api/seller/device/forget')),
  lockDevice: () => unwrapData(api.POST('/api/seller/device/lock')),
  unlockDevice: (pin: string) => unwrapData(api.POST('/api/seller/device/unlock', { body: { pin } })),
}

export const sellerDevices = { queryKey: ['seller', 'devices'], queryFn: securityApi.devices }
