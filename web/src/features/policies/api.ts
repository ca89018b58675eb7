// The policy pages: what readers see, and the seller's editor (seller/). Calls /api/policy.
import { queryOptions } from '@tanstack/react-query'
import { api, unwrapData } from '@/api/client'

export type PolicyName = 'privacy' | 'terms' | 'returns' | 'delivery' | 'about'

export const policyPage = (name: PolicyName) =>
  queryOptions({
    queryKey: ['policies', name],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/policy/get_policy/{id}', { params: { path: { id: name } }, signal })),
  })
