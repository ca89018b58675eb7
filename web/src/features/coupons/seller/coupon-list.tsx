import { discountText, minimumText } from '@/features/coupons/discount-text'
import type { Coupon } from '@/features/coupons/seller/coupons-api'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'

const STATES = {
  planned: 'seller.coupons.state.planned',
  running: 'seller.coupons.state.running',
  ended: 'seller.coupons.state.ended',
  inactive: 'seller.coupons.state.inactive',
  used_up: 'seller.coupons.state.used_up',
} satisfies Record<Coupon['state'], MessageId>

type CouponListProps = {
  coupons: Coupon[]
  /** The role may change coupons. */
  mayEdit: boolean
  busy: boolean
  onEdit: (coupon: Coupon) => void
  onToggle: (coupon: Coupon) => void
}

/** All coupons with their state, and what they have given. */
export function CouponList({ coupons, ...rest }: CouponListProps) {
  return (
    <ul className="coupon-list">
      {coupons.map((coupon) => (
        <CouponRow key={coupon._id} coupon={coupon} {...rest} />
      ))}
    </ul>
  )
}

function CouponRow({
  coupon,
  mayEdit,
  busy,
  onEdit,
  onToggle,
}: Omit<CouponListProps, 'coupons'> & { coupon: Coupon }) {
  const t = useT()
  const lang = useLang()
  const { code, state, uses, totalUses } = coupon
  const facts = [
    minimumText(coupon.minimum, lang),
    t('seller.coupons.perCustomerShort', { n: formatNumber(coupon.usesPerCustomer, lang) }),
    ...(coupon.public ? [t('seller.coupons.isPublic')] : []),
  ]
  const used =
    totalUses === null
      ? t('seller.coupons.uses', { n: uses })
      : t('seller.coupons.usesOf', { n: formatNumber(uses, lang), most: formatNumber(totalUses, lang) })
  const given = formatMoney(toPaisa(coupon.given), lang, 'auto')
  return (
    <li className="box coupon-row" data-testid="coupon">
      <h2>
        <span translate="no" className="coupon-code">
          {code}
        </span>
        <span className={`badge${state === 'running' ? ' coupon-running' : ''}`}>{t(STATES[state])}</span>
      </h2>
      <p>
        <strong>{discountText(coupon, lang)}</strong>
      </p>
      <p className="muted">{facts.join(' · ')}</p>
      <p className="muted">
        {`${formatDateTime(coupon.startsAt, lang)} – ${formatDateTime(coupon.endsAt, lang)}`}
      </p>
      <p>{`${used} · ${t('seller.coupons.given', { amount: given })}`}</p>
      {mayEdit ? (
        <div className="button-row">
          <button
            type="button"
            className={`button ${coupon.active ? 'button-plain-danger' : 'button-outline'}`}
            disabled={busy}
            onClick={() => onToggle(coupon)}
          >
            {t(coupon.active ? 'seller.coupons.deactivate' : 'seller.coupons.activate')}
            <span className="sr-only"> {code}</span>
          </button>
          <button type="button" className="button button-outline" onClick={() => onEdit(coupon)}>
            {t('seller.coupons.edit')}
            <span className="sr-only"> {code}</span>
          </button>
        </div>
      ) : null}
    </li>
  )
}
