import { useEffect } from 'react'
import { useUser } from '@/features/accounts/session'
import { loadWithMessages } from '@/lib/i18n'

const RETRY_MS = 5_000

/** Syncs the cart of a signed-in shopper with the server. Visitors do not download this code. */
export function useCartSync() {
  const id = useUser().user?._id
  useEffect(() => {
    if (!id) return undefined
    let gone = false
    let stop: (() => void) | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const start = async () => {
      try {
        const { startCartSync } = await loadWithMessages(
          'features/cart/sync',
          () => import('@/features/cart/sync'),
        )
        if (!gone) stop = startCartSync(id)
      } catch {
        timer = setTimeout(() => void start(), RETRY_MS)
      }
    }
    void start()
    return () => {
      gone = true
      clearTimeout(timer)
      stop?.()
    }
  }, [id])
}
