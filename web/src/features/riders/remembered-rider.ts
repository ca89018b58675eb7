/** The rider of this phone, so that the list of stops opens without a connection. The server still checks every request. */
import type { Seller } from '@/features/accounts/session'

const KEY = 'rider'

/** Null means signed out. */
export function rememberRider(seller: Seller | null) {
  if (seller?.role === 'rider') localStorage.setItem(KEY, JSON.stringify(seller))
  else localStorage.removeItem(KEY)
}

export function rememberedRider(): Seller | undefined {
  const stored = localStorage.getItem(KEY)
  return stored ? (JSON.parse(stored) as Seller) : undefined
}
