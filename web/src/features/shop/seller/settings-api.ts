// What the shop says of itself, charges and allows, as the seller edits it: name, contact, banners, fees, tax, limits. Everybody else reads it from the first data.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { applyRules } from '@/features/shop/rules'
import { settings } from '@/lib/first-data'

/** All that the shop says of itself. */
export type ShopSettings = Schemas['ShopSettings']
export type SocialLink = ShopSettings['social'][number]
export type Banner = ShopSettings['banners'][number]
/** With what tells whether somebody else has changed it meanwhile. */
export type VersionedSettings = ShopSettings & { version: string }

const KEY = ['seller', 'settings']

export const shopSettings = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }): Promise<VersionedSettings> =>
    unwrapData(api.GET('/api/shop/get_settings', { signal })),
  // A form is filled from it: nothing may come in under the hands of whoever types.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  meta: { failed: 'seller.settings.failed', error: 'seller.settings.error' },
})

export async function saveSettings(next: VersionedSettings): Promise<VersionedSettings> {
  const saved: VersionedSettings = await unwrapData(api.PUT('/api/shop/update_settings', { body: next }))
  queryClient.setQueryData(KEY, saved)
  applySettings(saved)
  return saved
}

/** The pages of this tab were opened with what the shop said before; those opened from now on say the new. */
function applySettings({ phone, email, address, addressNe, version: _, ...facts }: VersionedSettings) {
  const { shippingFee, freeShippingAbove, taxRate, vatRegistered, lowStock, cartLines } = facts
  Object.assign(settings, facts, { contact: { phone, email, address, addressNe } })
  applyRules({ rates: { shippingFee, freeShippingAbove, taxRate, vatRegistered }, lowStock, cartLines })
}
