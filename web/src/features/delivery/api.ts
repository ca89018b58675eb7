// Delivery rules: what a shopper can choose at an address, and the seller's zones, windows and closed days (seller/).
// Calls /api/delivery.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { USER_KEY } from '@/features/accounts/sign-in-out'
import type { Rates } from '@/features/shop/rules'
import type { Lang } from '@/lib/first-data'
import { localText } from '@/lib/local-text'
import { toPaisa } from '@/lib/money'

export type DeliveryOptions = Schemas['DeliveryOptions']
/** A window on a day. */
export type Slot = { day: string; window: string }

export const DELIVERY_KEY = [USER_KEY, 'delivery']

/** How long the free places of a window are shown without asking again. */
const FRESH_MS = 30_000

/** Without an id, the options of an address that is only a line. */
export const deliveryOptions = (addressId: string | undefined) =>
  queryOptions({
    queryKey: [...DELIVERY_KEY, addressId ?? ''],
    queryFn: ({ signal }): Promise<DeliveryOptions> =>
      unwrapData(
        api.GET('/api/delivery/options', { params: { query: addressId ? { addressId } : {} }, signal }),
      ),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    refetchOnWindowFocus: true,
    // The server checks every order, so the page works without the options.
    retry: false,
  })

/** The shop's rates with the fees of the zone, if the address is in one. */
export function ratesAt(options: DeliveryOptions | undefined, rates: Rates): Rates {
  if (options?.coverage !== 'zone') return rates
  return {
    ...rates,
    shippingFee: toPaisa(options.fee),
    freeShippingAbove: options.freeAbove === null ? null : toPaisa(options.freeAbove),
    minimum: toPaisa(options.minimum),
  }
}

/** Where the shop delivers, in the reader's language. */
export const zoneNames = (options: DeliveryOptions, lang: Lang) =>
  options.zones.map((zone) => localText(zone, 'name', lang)).join(', ')

/** The chosen slot if it is still free, otherwise the next free one. */
export function slotOf(options: DeliveryOptions | undefined, chosen: Slot | null): Slot | null {
  if (!options?.hasWindows) return null
  const free = options.days.some(
    ({ day, windows }) =>
      day === chosen?.day && windows.some(({ id, left }) => id === chosen.window && left > 0),
  )
  return free ? chosen : options.next
}
