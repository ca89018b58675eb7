// The newsletter: the form, the links in its emails, and the seller's subscribers and newsletters (seller/). Calls
// /api/subscriber and /api/newsletter.
import { api, unwrap } from '@/api/client'

/** Confirms a subscription with the token from the email. */
export const confirmSubscription = async (token: string) =>
  unwrap(await api.POST('/api/subscriber/confirm', { body: { token } }))

/** Ends a subscription with the token from a newsletter. */
export const unsubscribe = async (token: string) =>
  unwrap(await api.POST('/api/subscriber/unsubscribe/{id}', { params: { path: { id: token } } }))

export const subscribe = async (email: string) =>
  unwrap(await api.POST('/api/subscriber/add_subscriber', { body: { email } })).data
