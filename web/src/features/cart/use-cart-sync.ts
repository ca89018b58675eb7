import { useEffect } from 'react'
import { useUser } from '@/features/accounts/session'
import { loadWords } from '@/lib/i18n'

const AGAIN_MS = 5_000

/** Once somebody is signed in, their cart is kept on the server too. Nothing of that is fetched for visitors. */
export function useCartSync() {
  const id = useUser().user?._id
  useEffect(() => {
    if (!id) return undefined
    let gone = false
    let stop: (() => void) | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const start = async () => {
      try {
        const [{ keepCart }] = await Promise.all([import('@/features/cart/sync'), loadWords('cart')])
        if (!gone) stop = keepCart(id)
      } catch {
        timer = setTimeout(() => void start(), AGAIN_MS)
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
