// The shop's fees, tax and limits for shoppers. Every page contains them; an open cart refetches them, because the
// seller can change them.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, type Schemas, unwrapData } from '@/api/client'
import { settings } from '@/lib/first-data'
import { type Paisa, toPaisa } from '@/lib/money'
import { createStore } from '@/lib/store'

/** In whole paisa and hundredths of a per cent, so that no sum is a fraction. */
export type Rates = {
  shippingFee: Paisa
  /** `null` where shipping is never free. */
  freeShippingAbove: Paisa | null
  taxRate: number
  vatRegistered: boolean
  /** Whether prices include the tax; left out if they do not. */
  pricesIncludeTax?: boolean
  /** The least subtotal of an order to the address. */
  minimum?: Paisa
}

const POLL_MS = 5_000

/** When the rules changed after the page was opened; 0 if they have not. */
const changedAt = createStore(0)

const rules = queryOptions({
  queryKey: ['rules'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/shop/get_rules', { signal })),
  staleTime: 0,
  // Only visible pages poll; unchanged rules are answered without a body.
  refetchInterval: POLL_MS,
  refetchOnWindowFocus: true,
  retry: false,
})

export function applyRules(next: Schemas['ShopRules']) {
  const { rates, lowStock, cartLines } = settings
  if (JSON.stringify({ rates, lowStock, cartLines }) === JSON.stringify(next)) return
  Object.assign(settings, next)
  changedAt.set(Date.now())
}

/** For a page that must show a changed fee at once. */
export function useFreshRules() {
  const { data } = useQuery(rules)
  useEffect(() => {
    if (data) applyRules(data)
  }, [data])
}

export const useRulesChangedAt = changedAt.use

export function useRates(): Rates {
  changedAt.use()
  return ratesOf(settings.rates)
}

export const ratesOf = ({
  shippingFee,
  freeShippingAbove,
  taxRate,
  vatRegistered,
  pricesIncludeTax,
}: typeof settings.rates): Rates => ({
  shippingFee: toPaisa(shippingFee),
  freeShippingAbove: toPaisa(freeShippingAbove),
  taxRate: Math.round(taxRate * 100),
  vatRegistered,
  ...(pricesIncludeTax ? { pricesIncludeTax } : {}),
})
