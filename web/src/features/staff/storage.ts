import type { Seller } from '@/features/accounts/session'

const STORAGE_PREFIX = 'thunse.seller.'

/** The storage key of this seller in this tab, so that another seller on the same computer does not find the data. */
export const sellerStorageKey = (seller: Seller | null | undefined, name: string) =>
  `${STORAGE_PREFIX}${seller?.email ?? ''}.${name}`

/** Clears the seller's data in this tab after a deliberate sign-out. */
export function clearSellerStorage() {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(STORAGE_PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Where storage is forbidden, nothing was stored.
  }
}
