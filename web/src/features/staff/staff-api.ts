import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

export type StaffMember = Schemas['StaffMember']
export type StaffInvitation = Schemas['StaffInvitation']
export const ROLES = ['owner', 'manager', 'packer', 'rider'] as const

export const staffApi = {
  invite: (email: string, name: string, role: string) =>
    unwrapData(api.POST('/api/seller/staff/invite', { body: { email, name, role } })),
  resend: (id: string) => unwrapData(api.POST('/api/seller/staff/resend_invitation', { body: { id } })),
  revoke: (id: string) => unwrapData(api.POST('/api/seller/staff/revoke_invitation', { body: { id } })),
  changeRole: (id: string, role: string) =>
    unwrapData(api.PUT('/api/seller/staff/role', { body: { id, role } })),
  setDisabled: (id: string, disabled: boolean) =>
    unwrapData(api.PUT('/api/seller/staff/disabled', { body: { id, disabled } })),
  resetSecondFactor: (id: string) =>
    unwrapData(api.POST('/api/seller/staff/reset_second_factor', { body: { id } })),
  /** The invitation of a link, for the person who has no account yet. */
  invitation: (token: string) => unwrapData(api.POST('/api/seller/invitation/get', { body: { token } })),
  accept: (token: string, name: string, password: string) =>
    unwrapData(api.POST('/api/seller/invitation/accept', { body: { token, name, password } })),
}

export const staffList = queryOptions({
  queryKey: ['seller', 'staff'],
  queryFn: () => unwrapData(api.GET('/api/seller/staff')),
})
