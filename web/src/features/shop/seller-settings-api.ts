// What the shop says of itself, charges and allows, as the seller edits it: name, contact, banners, fees, tax, limits. Everybody else reads it from the first data.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { takeRules } from '@/features/shop/rules'
import { settings } from '@/lib/first-data'

/** All that the shop says of itself. */
export type ShopSettings = Schemas['ShopSettings']
export type SocialLink = ShopSettings['social'][number]
export type Banner = ShopSettings['banners'][number]
/** With what tells whether somebody else has changed it meanwhile. */
export type KeptSettings = ShopSettings & { version: string }

const KEY = ['seller', 'settings']

export const shopSettings = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }): Promise<KeptSettings> => dataOf(api.GET('/api/shop/get_settings', { signal })),
  // A form is filled from it: nothing may come in under the hands of whoever types.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  meta: { failed: 'sset.failed', error: 'sset.error' },
})

export async function saveSettings(next: KeptSettings): Promise<KeptSettings> {
  const kept: KeptSettings = await dataOf(api.PUT('/api/shop/update_settings', { body: next }))
  queryClient.setQueryData(KEY, kept)
  tellShop(kept)
  return kept
}

/** The pages of this tab were opened with what the shop said before; those opened from now on say the new. */
function tellShop({ phone, email, address, addressNe, version: _, ...facts }: KeptSettings) {
  const { shippingFee, freeShippingAbove, taxRate, vatRegistered, lowStock, cartLines } = facts
  Object.assign(settings, facts, { contact: { phone, email, address, addressNe } })
  takeRules({ rates: { shippingFee, freeShippingAbove, taxRate, vatRegistered }, lowStock, cartLines })
}
