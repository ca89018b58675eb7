import { useEffect } from 'react'
import { loadWithMessages } from '@/lib/i18n'
import { createStore } from '@/lib/store'

const parts = createStore<typeof import('@/features/wishlist/lazy-parts') | null>(null)

async function load() {
  parts.set(
    await loadWithMessages('features/wishlist/lazy-parts', () => import('@/features/wishlist/lazy-parts')),
  )
}

/**
 * The heart of product cards and the other parts of the wishlist, or null until they are loaded. They come after the
 * page, which works without them.
 */
export function useWishlistParts() {
  useEffect(() => {
    if (!parts.read()) load().catch(() => {})
  }, [])
  return parts.use()
}
