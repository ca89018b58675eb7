import { useEffect, useState } from 'react'
import type { User } from '@/features/accounts/session'
import type { CartLine } from '@/features/cart/use-cart-lines'
import type { Holds } from '@/features/orders/own-holds'

/** Adds the shopper's own holds to the stock of the lines; `used` when a line would be short without them. */
export function withHolds(lines: CartLine[], holds: Holds): { lines: CartLine[]; used: boolean } {
  let used = false
  const counted = lines.map((line) => {
    const { id, quantity, product } = line
    const own = holds.get(id)
    if (!product || !own) return line
    used ||= quantity > product.stock
    return { ...line, product: { ...product, stock: product.stock + own } }
  })
  return { lines: counted, used }
}

/**
 * The stock does not say who holds what. Where the cart needs all of it or more, the shopper's own unpaid orders are
 * fetched, again with each update of the stock (`stockAt`), because both belong together. Without a response the stock
 * counts.
 */
export function useOwnHolds(lines: CartLine[], stockAt: number, user: User | null) {
  const [known, setKnown] = useState<{ userId: string; holds: Holds } | null>(null)
  const userId = user?._id
  const isShort = lines.some(({ product, quantity }) => product && quantity >= product.stock)

  useEffect(() => {
    // 0 means that the data comes from a cache and the stock is being fetched.
    if (!userId || !isShort || stockAt === 0) return
    let late = false
    void import('@/features/orders/own-holds')
      .then(({ fetchHolds }) => fetchHolds())
      .then(
        (holds) => {
          if (!late) setKnown({ userId, holds })
        },
        () => {},
      )
    return () => {
      late = true
    }
  }, [userId, isShort, stockAt])

  return isShort && known && known.userId === userId ? withHolds(lines, known.holds) : { lines, used: false }
}
