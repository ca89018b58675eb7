// People who want to hear from the shop: the form in the footer, and the readers' list at the desk. Asks /api/subscriber.
import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

/** Messages belong to the form: it says the same sentence for every failure. */
export function useSubscribe() {
  return useMutation({
    mutationFn: async (email: string) =>
      unwrap(await api.POST('/api/subscriber/add_subscriber', { body: { email } })).data,
  })
}
