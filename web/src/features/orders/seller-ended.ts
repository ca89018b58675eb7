import { Refusal } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'

/** The seller's session has ended elsewhere: the desk then shows its door. The shopper's own is another matter. */
export function sellerEnded(error: unknown) {
  if (error instanceof Refusal && error.status === 401)
    queryClient.setQueryData(sessions.seller.queryKey, null)
}
