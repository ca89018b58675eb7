import '@/styles/coupon.css'
import type { PublicCoupon } from '@/features/coupons/api'
import { discountText, minimumText } from '@/features/coupons/discount-text'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { CopyIcon } from '@/ui/icons-orders'
import { toast } from '@/ui/toast'

/** The coupons that every shopper may use now. */
export function PublicCoupons({ coupons }: { coupons: PublicCoupon[] }) {
  const t = useT()
  return (
    <section className="coupons" aria-labelledby="coupons">
      <h2 id="coupons">{t('coupons.title')}</h2>
      <p className="muted">{t('coupons.intro')}</p>
      <ul>
        {coupons.map((coupon) => (
          <CouponCard key={coupon.code} coupon={coupon} />
        ))}
      </ul>
    </section>
  )
}

/** A coupon that ends at midnight is usable until 23:59 of the day before. */
const lastMinute = (iso: string) => new Date(new Date(iso).getTime() - 60_000).toISOString()

function CouponCard({ coupon }: { coupon: PublicCoupon }) {
  const t = useT()
  const lang = useLang()
  const { code, minimum, endsAt, usesPerCustomer } = coupon
  const about = localText(coupon, 'about', lang)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      toast.success('coupons.copied')
    } catch {
      // The clipboard is not available; the code can still be selected and copied by hand.
    }
  }
  const times =
    usesPerCustomer === 1 ? t('coupons.once') : t('coupons.times', { n: formatNumber(usesPerCustomer, lang) })
  return (
    <li className="coupon-card" data-testid="coupon">
      <h3>{discountText(coupon, lang)}</h3>
      {about ? (
        <p translate="no" lang={scriptLang(about, lang)}>
          {about}
        </p>
      ) : null}
      <p className="muted">{`${minimumText(minimum, lang)} · ${times}`}</p>
      <p className="muted">{t('coupons.until', { date: formatDateTime(lastMinute(endsAt), lang) })}</p>
      <button
        type="button"
        className="coupon-copy"
        aria-label={t('coupons.copy', { code })}
        onClick={() => void copy()}
      >
        <span translate="no" className="coupon-code">
          {code}
        </span>
        <CopyIcon />
      </button>
    </li>
  )
}
