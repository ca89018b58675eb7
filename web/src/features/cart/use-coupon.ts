import { queryOptions, useQuery } from '@tanstack/react-query'
import { cartApi } from '@/features/cart/api'
import type { Cart } from '@/features/cart/cart-store'
import { COUPON_KEY, couponCode } from '@/features/cart/coupon-store'
import type { CartLine, CouponPrices } from '@/features/cart/use-cart-lines'

export type CartCoupon = {
  /** The code that is used; empty without a coupon. */
  code: string
  /** The goods that it is for. */
  items: Cart
  /** The unit prices with the coupon, once the server has said them for this cart or for the one before a change. */
  prices: CouponPrices | undefined
  /** The server has not answered for this cart yet. */
  pending: boolean
  /** Why the coupon cannot be used for this cart. */
  problem: Error | null
}

export const couponQuote = (code: string, items: Cart) =>
  queryOptions({
    queryKey: [...COUPON_KEY, code, items],
    queryFn: ({ signal }) => cartApi.quoteCoupon(code, items, signal),
    // A coupon can end or be used up at any moment.
    staleTime: 0,
  })

/** The coupon of the cart. The server allocates its discount to the lines, so that both compute the same figures. */
export function useCoupon(lines: CartLine[], signedIn: boolean): CartCoupon {
  const code = couponCode.use()
  const sold = lines.filter(({ product }) => product)
  const items: Cart = Object.fromEntries(sold.map(({ id, quantity }) => [id, quantity]))
  const isUsed = signedIn && code !== '' && sold.length > 0
  const { data, error, isPending, isPlaceholderData } = useQuery({
    ...couponQuote(code, items),
    enabled: isUsed,
    placeholderData: (previous, query) => (query?.queryKey[1] === code ? previous : undefined),
  })
  if (!isUsed) return { code: '', items, prices: undefined, pending: false, problem: null }
  const prices = error ? undefined : data?.prices
  return { code, items, prices, pending: !error && (isPending || isPlaceholderData), problem: error }
}
