// Messages to shoppers and staff: the browsers that receive web push, the chosen channels, and what was not delivered.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import type { PushSubscriptionKeys } from '@/features/alerts/push'

export type AlertChannels = Schemas['AlertChannels']
export type StaffAlertChannels = Schemas['StaffAlertChannels']
export type Undelivered = Schemas['UndeliveredMessage']

export const alertsApi = {
  saveShopper: (body: AlertChannels) => unwrapData(api.PUT('/api/alerts/preferences', { body })),
  saveStaff: (body: StaffAlertChannels) => unwrapData(api.PUT('/api/seller/alerts/preferences', { body })),
  subscribe: (staff: boolean, body: PushSubscriptionKeys) =>
    unwrapData(
      staff
        ? api.POST('/api/seller/alerts/subscribe', { body })
        : api.POST('/api/alerts/subscribe', { body }),
    ),
  unsubscribeDevice: (staff: boolean, endpoint: string) =>
    unwrapData(api.POST('/api/alerts/unsubscribe_device', { body: { endpoint, staff } })),
  turnOffEmails: (token: string) =>
    unwrapData(api.POST('/api/alerts/unsubscribe', { params: { query: { token } } })),
  retry: (id: string) => unwrapData(api.POST('/api/seller/alerts/retry', { body: { id } })),
}

/** Under the key of the shopper's queries, which are dropped together. */
export const shopperAlerts = queryOptions({
  queryKey: ['person', 'alerts'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/alerts/preferences', { signal })),
})

export const staffAlerts = queryOptions({
  queryKey: ['seller', 'alerts'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/seller/alerts/preferences', { signal })),
})

export const undelivered = queryOptions({
  queryKey: ['seller', 'undelivered'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/seller/alerts/undelivered', { signal })),
})
