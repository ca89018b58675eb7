import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type Coupon = Schemas['Coupon']
export type CouponTerms = Schemas['CouponTermsRequest']

const KEY = ['seller', 'coupons']

export const allCoupons = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => unwrapData(api.GET('/api/coupon/get_coupons', { signal })),
  staleTime: 0,
})

/** Shows the list that the server returns with a change. */
async function showing(work: Promise<Coupon[]>): Promise<void> {
  queryClient.setQueryData(KEY, await work)
}

export const couponsApi = {
  add: (code: string, terms: CouponTerms) =>
    showing(unwrapData(api.POST('/api/coupon/add_coupon', { body: { code, ...terms } }))),
  update: ({ _id, version }: Coupon, terms: CouponTerms) =>
    showing(unwrapData(api.PUT('/api/coupon/update_coupon', { body: { couponId: _id, version, ...terms } }))),
  /** After a refusal somebody else may have changed the coupons. */
  reload: () => queryClient.invalidateQueries({ queryKey: KEY }),
}

/** The terms of a coupon as they are, for a change of one of them. */
export const termsOf = (coupon: Coupon): CouponTerms => ({
  percent: coupon.percent,
  maxDiscount: coupon.maxDiscount,
  amount: coupon.amount,
  minimum: coupon.minimum,
  startsAt: coupon.startsAt,
  endsAt: coupon.endsAt,
  usesPerCustomer: coupon.usesPerCustomer,
  totalUses: coupon.totalUses,
  active: coupon.active,
  public: coupon.public,
  about: coupon.about,
  aboutNe: coupon.aboutNe,
})
