import '@/styles/coupon.css'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { couponCode } from '@/features/cart/coupon-store'
import { type CartCoupon, couponQuote } from '@/features/cart/use-coupon'
import { messageText, useT } from '@/lib/i18n'
import { TextField } from '@/ui/field'
import { useForm } from '@/ui/use-form'

const TEXTS = { refused: 'cart.coupon.failed', broken: 'cart.coupon.failed' } as const

/** The coupon of the cart with a button that removes it, or a field for one that opens on demand. */
export function CouponField({ coupon }: { coupon: CartCoupon }) {
  return (
    <div id="coupon" className="coupon">
      {coupon.code ? <UsedCoupon coupon={coupon} /> : <EnterCoupon coupon={coupon} />}
    </div>
  )
}

function UsedCoupon({ coupon: { code, problem } }: { coupon: CartCoupon }) {
  const t = useT()
  return (
    <>
      <p className="coupon-used">
        <span translate="no" className="coupon-code">
          {code}
        </span>
        <button type="button" className="link" onClick={() => couponCode.set('')}>
          {t('cart.coupon.remove')}
          <span className="sr-only"> {code}</span>
        </button>
      </p>
      <p className={problem ? 'field-error' : 'sr-only'} role="status">
        {problem ? messageText(serverText(problem, TEXTS)) : t('cart.coupon.applied')}
      </p>
    </>
  )
}

function EnterCoupon({ coupon: { items } }: { coupon: CartCoupon }) {
  const t = useT()
  const form = useForm<'code'>({
    id: 'coupon',
    check: (read) => ({ code: read('code').trim() ? undefined : 'cart.coupon.missing' }),
    onError: (error) => ({ errors: { code: serverText(error, TEXTS) } }),
  })
  const apply = form.bind(async (read) => {
    const { code } = await queryClient.fetchQuery(couponQuote(read('code').trim().toUpperCase(), items))
    couponCode.set(code)
  })
  return (
    <details>
      <summary>{t('cart.coupon.have')}</summary>
      <form className="coupon-form" {...apply}>
        <TextField
          {...form.field('code')}
          label={t('cart.coupon.code')}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
        />
        <button type="submit" className="button button-outline" aria-busy={form.busy}>
          {t('cart.coupon.apply')}
        </button>
      </form>
    </details>
  )
}
