// The newsletter: the form in the footer, and the seller's list of subscribers. Calls /api/subscriber.
import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

/** The form shows its own message, the same for every failure. */
export function useSubscribe() {
  return useMutation({
    mutationFn: async (email: string) =>
      unwrap(await api.POST('/api/subscriber/add_subscriber', { body: { email } })).data,
  })
}
