import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

export type PackingOrder = Schemas['PackingOrder']

/** `staleTime` is zero, because another packer may have packed the order. */
export const orderToPack = (order: string) =>
  queryOptions({
    queryKey: ['seller', 'packing', 'order', order],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/api/packing/get_order/{order}', { params: { path: { order } }, signal })),
    staleTime: 0,
  })
