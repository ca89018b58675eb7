import type { Seller } from '@/features/accounts/session'

const OWN = 'thunse.seller.'

/** Where the tab keeps things of this seller: another one at the same desk does not find them. */
export const sellerKey = (seller: Seller | null | undefined, name: string) =>
  `${OWN}${seller?.email ?? ''}.${name}`

/** They left of their own will. */
export function forgetSeller() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(OWN)) sessionStorage.removeItem(key)
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}
