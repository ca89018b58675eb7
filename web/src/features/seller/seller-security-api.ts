import { api, dataOf, Refusal, type Schemas } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'

export type SellerDevice = Schemas['SellerSession']

export const securityApi = {
  changePassword: (currentPassword: string, newPassword: string) =>
    dataOf(api.POST('/api/seller/password/change', { body: { currentPassword, newPassword } })),
  devices: () => dataOf(api.GET('/api/seller/sessions')),
  /** One of them, or all others. */
  signOut: (id: string | undefined, password: string | undefined) =>
    dataOf(
      api.POST('/api/seller/sessions/end', {
        body: { ...(id === undefined ? {} : { id }), ...(password === undefined ? {} : { password }) },
      }),
    ),
}

export const sellerDevices = { queryKey: ['seller', 'devices'], queryFn: securityApi.devices }

/** The session has ended elsewhere: the dashboard then shows its login. */
export function endedMeanwhile(error: unknown): boolean {
  const ended = error instanceof Refusal && error.status === 401
  if (ended) queryClient.setQueryData(sessions.seller.queryKey, null)
  return ended
}
