import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type Zone = Schemas['DeliveryZone']
export type ZoneArea = Schemas['ZoneArea']
export type ClosedDay = Schemas['DeliveryClosedDay']
export type ZoneInput = Schemas['DeliveryZoneInput']
export type ClosedDayInput = Schemas['ClosedDayInput']

const KEY = ['seller', 'delivery-rules']

export const deliveryRules = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => unwrapData(api.GET('/api/delivery/get_delivery_rules', { signal })),
  staleTime: 0,
  meta: { failed: 'seller.zones.failed', error: 'seller.zones.error' },
})

/** Runs a change and fetches the rules again, also after a failure, because the rules may have changed. */
async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await queryClient.invalidateQueries({ queryKey: KEY })
  }
}

export const rulesApi = {
  addZone: (body: ZoneInput) => changing(unwrapData(api.POST('/api/delivery/add_zone', { body }))),
  updateZone: (id: string, body: ZoneInput) =>
    changing(unwrapData(api.PUT('/api/delivery/update_zone/{id}', { params: { path: { id } }, body }))),
  deleteZone: (id: string) =>
    changing(unwrapData(api.DELETE('/api/delivery/delete_zone/{id}', { params: { path: { id } } }))),
  closeDay: (body: ClosedDayInput) =>
    changing(unwrapData(api.POST('/api/delivery/add_closed_day', { body }))),
  openDay: (id: string) =>
    changing(unwrapData(api.DELETE('/api/delivery/delete_closed_day/{id}', { params: { path: { id } } }))),
}
