// The newsletter: the form in the footer, and the seller's list of subscribers. Calls /api/subscriber.
import { api, unwrap } from '@/api/client'

export const subscribe = async (email: string) =>
  unwrap(await api.POST('/api/subscriber/add_subscriber', { body: { email } })).data
