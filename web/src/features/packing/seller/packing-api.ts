import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type OrderToPack = Schemas['OrderToPackResponse']
export type PackingLine = Schemas['PackingLine']
export type Replacement = Schemas['ReplacementOfferResponse']
export type PackingReport = Schemas['FinishPackingRequest']

const KEY = ['seller', 'packing']
const MESSAGES = { failed: 'seller.packing.failed', error: 'seller.packing.failed' } as const

/** The orders that can be packed now, the most urgent first. */
export const ordersToPack = queryOptions({
  queryKey: [...KEY, 'orders'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/packing/get_orders', { signal })),
  refetchInterval: 60_000,
  meta: MESSAGES,
})

export const replacementsFor = (product: string) =>
  queryOptions({
    queryKey: [...KEY, 'replacements', product],
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/api/packing/get_replacements/{product}', { params: { path: { product } }, signal }),
      ),
    staleTime: 30_000,
    meta: MESSAGES,
  })

export async function finishPacking(report: PackingReport) {
  await unwrapData(api.POST('/api/packing/finish', { body: report }))
  await queryClient.invalidateQueries({ queryKey: ['seller'] })
}

export async function askQuestion(report: PackingReport) {
  await unwrapData(api.POST('/api/packing/ask_question', { body: report }))
  await queryClient.invalidateQueries({ queryKey: KEY })
}
