// The shop's settings as the seller edits them: name, contact, banners, fees, tax, limits. All other pages read them
// from the first data.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { applyRules } from '@/features/shop/rules'
import { settings } from '@/lib/first-data'

/** All settings of the shop. */
export type ShopSettings = Schemas['ShopSettings']
export type SocialLink = ShopSettings['social'][number]
export type Banner = ShopSettings['banners'][number]
/** The settings with a version, to detect changes by another seller. */
export type VersionedSettings = ShopSettings & { version: string }

const KEY = ['seller', 'settings']

export const shopSettings = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }): Promise<VersionedSettings> =>
    unwrapData(api.GET('/api/shop/get_settings', { signal })),
  // The form is filled from this query, so it must not refetch while the seller types.
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

/** The default, which pages do not name. */
const WEIGHT_TOLERANCE = 10

/** Applies the saved settings to the pages of this tab, which were opened with the old ones. */
function applySettings({ phone, email, address, addressNe, version: _, ...facts }: VersionedSettings) {
  const { shippingFee, freeShippingAbove, taxRate, vatRegistered, pricesIncludeTax, weightTolerance } = facts
  const { lowStock, cartLines } = facts
  Object.assign(settings, facts, { contact: { phone, email, address, addressNe } })
  const rates = { shippingFee, freeShippingAbove, taxRate, vatRegistered }
  applyRules({
    rates: {
      ...rates,
      ...(pricesIncludeTax ? { pricesIncludeTax } : {}),
      ...(weightTolerance === WEIGHT_TOLERANCE ? {} : { weightTolerance }),
    },
    lowStock,
    cartLines,
  })
}
