import type { Seller } from '@/features/accounts/session'

const STORAGE_PREFIX = 'thunse.seller.'

/** The storage key of this seller in this tab: another seller at the same computer does not find it. */
export const sellerStorageKey = (seller: Seller | null | undefined, name: string) =>
  `${STORAGE_PREFIX}${seller?.email ?? ''}.${name}`

/** They left of their own will. */
export function clearSellerStorage() {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(STORAGE_PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}
