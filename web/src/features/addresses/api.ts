// The address book and its form, with Nepal's provinces, districts and local levels (data/places.json). Calls /api/address.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { refetchUser } from '@/features/accounts/session'
import { USER_KEY } from '@/features/accounts/sign-in-out'

/** Seven required fields, and four that help the rider. */
export type AddressFields = {
  address: string
  phone: string
  street: string
  city: string
  state: string
  country: string
  pincode: string
  district: string
  municipality: string
  ward: string
  landmark: string
}

export type Address = Schemas['Address']

type AddressRequest = AddressFields & { isDefault?: boolean }

export const addressesApi = {
  list: () => unwrapData(api.GET('/api/address/get_addresses')),
  add: (body: AddressRequest) => unwrapData(api.POST('/api/address/add_address', { body })),
  update: (id: string, body: AddressRequest) =>
    unwrapData(api.PUT('/api/address/update_address/{id}', { params: { path: { id } }, body })),
  remove: (id: string) =>
    unwrapData(api.DELETE('/api/address/delete_address/{id}', { params: { path: { id } } })),
}

export const addressesQuery = queryOptions({
  queryKey: [USER_KEY, 'addresses'],
  queryFn: addressesApi.list,
})

/** Refetches the addresses and the user, because the server derives the user's own address line from the list. */
export async function refetchAddresses() {
  await Promise.all([queryClient.invalidateQueries({ queryKey: addressesQuery.queryKey }), refetchUser()])
}
