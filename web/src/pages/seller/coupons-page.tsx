import '@/styles/coupon.css'
import '@/styles/forms.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { CouponForm } from '@/features/coupons/seller/coupon-form'
import { CouponList } from '@/features/coupons/seller/coupon-list'
import { allCoupons, type Coupon, couponsApi, termsOf } from '@/features/coupons/seller/coupons-api'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { PlusIcon } from '@/ui/icons'
import { TagIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'seller.coupons.failed', broken: 'seller.coupons.error' } as const

/** The coupons of the shop: what they take off, until when, and how often they were used. */
export function SellerCouponsPage() {
  const t = useT()
  usePageTitle(t('seller.coupons.title'))
  const query = useQuery(allCoupons)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const mayEdit = useMay()('products.edit')
  const [editing, setEditing] = useState<Coupon | 'new' | null>(null)
  const [busy, run] = useBusy()
  const toggle = (coupon: Coupon) =>
    void run(async () => {
      try {
        await couponsApi.update(coupon, { ...termsOf(coupon), active: !coupon.active })
        toast.success('seller.coupons.saved')
      } catch (error) {
        if (handleSellerSessionEnded(error)) return
        toast.error(serverText(error, TEXTS))
        void couponsApi.reload()
      }
    })
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.coupons.title')}</h1>
        {mayEdit ? (
          <div className="seller-page-tools">
            <button type="button" className="button button-primary" onClick={() => setEditing('new')}>
              <PlusIcon />
              {t('seller.coupons.add')}
            </button>
          </div>
        ) : null}
      </div>
      <p className="coupons-intro muted">{t('seller.coupons.intro')}</p>
      <LoadState
        query={query}
        problem="seller.coupons.loadProblem"
        skeleton={<div className="coupons-skeleton skeleton skeleton-late" aria-hidden="true" />}
      >
        {(coupons) =>
          coupons.length === 0 ? (
            <StatePanel
              icon={<TagIcon size={36} />}
              title={t('seller.coupons.none')}
              text={t('seller.coupons.noneText')}
            />
          ) : (
            <CouponList
              coupons={coupons}
              mayEdit={mayEdit}
              busy={busy}
              onEdit={setEditing}
              onToggle={toggle}
            />
          )
        }
      </LoadState>
      {editing ? (
        <CouponForm coupon={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
    </>
  )
}
