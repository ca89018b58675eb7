import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

export type EditablePolicy = Schemas['EditablePolicy']
export type PolicyVersion = Schemas['PolicyVersion']

const META = { failed: 'seller.policies.failed', error: 'seller.policies.failed' } as const

export const POLICIES_KEY = ['seller', 'policies']

export const policies = queryOptions({
  queryKey: [...POLICIES_KEY, 'pages'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/policy/get_policies', { signal })),
  staleTime: 0,
  meta: META,
})

export const policyVersions = (page: string) =>
  queryOptions({
    queryKey: [...POLICIES_KEY, 'versions', page],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/policy/get_versions/{id}', { params: { path: { id: page } }, signal })),
    staleTime: 0,
    meta: META,
  })

export const policiesApi = {
  save: (page: string, version: number, text: string, textNe: string) =>
    unwrapData(api.PUT('/api/policy/save_policy', { body: { page, version, text, textNe } })),
  reset: (page: string, version: number) =>
    unwrapData(api.POST('/api/policy/reset_policy', { body: { page, version } })),
  preview: async (text: string) =>
    (await unwrapData(api.POST('/api/policy/preview', { body: { text } }))).html,
}
