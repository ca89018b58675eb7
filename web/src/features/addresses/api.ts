// Where to deliver: the address book and its form, with Nepal's provinces, districts and local levels (places.json). Asks /api/address.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { PERSON } from '@/features/accounts/person'
import { askAgain } from '@/features/accounts/session'

/** The seven the shop needs, and four that help the rider. */
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

type Sent = AddressFields & { isDefault?: boolean }

export const addressesApi = {
  list: () => dataOf(api.GET('/api/address/get_addresses')),
  add: (body: Sent) => dataOf(api.POST('/api/address/add_address', { body })),
  update: (id: string, body: Sent) =>
    dataOf(api.PUT('/api/address/update_address/{id}', { params: { path: { id } }, body })),
  remove: (id: string) =>
    dataOf(api.DELETE('/api/address/delete_address/{id}', { params: { path: { id } } })),
}

export const addressesQuery = queryOptions({
  queryKey: [PERSON, 'addresses'],
  queryFn: addressesApi.list,
})

/** The list and the user's own line of address follow from one another on the server: read both anew. */
export async function addressesChanged() {
  await Promise.all([queryClient.invalidateQueries({ queryKey: addressesQuery.queryKey }), askAgain()])
}
