// Coupons: those that every shopper may use, and the seller's screen for all of them. Calls /api/coupon; a cart is quoted
// with a coupon by the module cart.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'

export type PublicCoupon = Schemas['PublicCoupon']

export const publicCoupons = queryOptions({
  queryKey: ['coupons', 'public'],
  queryFn: ({ signal }) => unwrapData(api.GET('/api/coupon/get_public_coupons', { signal })),
})
