import type { PublicCoupon } from '@/features/coupons/api'
import { t } from '@/lib/i18n'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'

type Terms = Pick<PublicCoupon, 'percent' | 'maxDiscount' | 'amount'>

/** What a coupon takes off: '10% off, up to Rs. 200'. */
export function discountText({ percent, maxDiscount, amount }: Terms, lang: 'en' | 'ne'): string {
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
  if (percent === null) return t('coupons.amount', { amount: money(amount ?? 0) })
  const share = formatNumber(percent, lang)
  return maxDiscount === null
    ? t('coupons.percent', { percent: share })
    : t('coupons.percentUpTo', { percent: share, most: money(maxDiscount) })
}

/** The least value of the goods: 'On orders of Rs. 500 or more'. */
export const minimumText = (minimum: number, lang: 'en' | 'ne'): string =>
  minimum > 0
    ? t('coupons.minimum', { minimum: formatMoney(toPaisa(minimum), lang, 'auto') })
    : t('coupons.anyOrder')
