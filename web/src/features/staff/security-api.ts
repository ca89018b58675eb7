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
}

export const sellerDevices = { queryKey: ['seller', 'devices'], queryFn: securityApi.devices }
