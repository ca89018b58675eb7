import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'

/** Shows the seller's login when the session has ended elsewhere, and returns whether it has. The shopper's own is unaffected. */
export function handleSellerSessionEnded(error: unknown): boolean {
  const ended = error instanceof ApiError && error.status === 401
  if (ended) queryClient.setQueryData(sessions.seller.queryKey, null)
  return ended
}
