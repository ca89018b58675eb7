import '@/styles/orders.css'
import '@/styles/seller-staff.css'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { Day } from '@/features/orders/day'
import { myDeliveries, type RiderDelivery, setDeliveryStatus } from '@/features/orders/seller/deliveries-api'
import { StatusBadge } from '@/features/orders/status'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'seller.deliveries.failed', broken: 'seller.deliveries.failed' } as const

/** What a rider has to deliver, in the order of day and place. */
export function MyDeliveriesPage() {
  const t = useT()
  usePageTitle(t('seller.nav.deliveries'))
  const deliveries = useQuery(myDeliveries)
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.deliveries')}</h1>
      </div>
      <LoadState
        query={deliveries}
        problem="seller.deliveries.problem"
        skeleton={<div className="disclosure-skeleton skeleton" />}
      >
        {(list) =>
          list.length > 0 ? (
            <ul className="delivery-list">
              {list.map((delivery) => (
                <DeliveryCard key={delivery._id} delivery={delivery} />
              ))}
            </ul>
          ) : (
            <StatePanel title={t('seller.deliveries.empty')} text={t('seller.deliveries.emptyText')} />
          )
        }
      </LoadState>
    </>
  )
}

function DeliveryCard({ delivery }: { delivery: RiderDelivery }) {
  const t = useT()
  const lang = useLang()
  const [busy, run] = useBusy()
  const { _id: id, status, phone, landmark, address } = delivery
  const set = (next: string) =>
    run(async () => {
      try {
        await setDeliveryStatus(id, next)
        toast.success('seller.orders.statusUpdated')
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, TEXTS))
      }
      await queryClient.invalidateQueries({ queryKey: myDeliveries.queryKey })
    })
  return (
    <li className="box delivery-card" data-testid="delivery">
      <div className="delivery-head">
        <h2>
          <span translate="no">{delivery.name}</span>
        </h2>
        <StatusBadge status={status} />
      </div>
      <p className="muted">
        <span translate="no">#{delivery.orderId}</span> · <Day iso={delivery.deliveryDate} />
      </p>
      <p translate="no">
        {address}
        {landmark && !address.includes(landmark) ? ` (${landmark})` : ''}
      </p>
      <ul className="delivery-items">
        {delivery.items.map((item) => (
          <li key={`${item.name}-${item.packLabel ?? ''}`}>
            {formatNumber(item.quantity, lang)} × {(lang === 'ne' ? item.nameNe : undefined) ?? item.name}
          </li>
        ))}
      </ul>
      <p className="delivery-cash" data-testid="cash">
        {delivery.cashToCollect > 0
          ? t('seller.deliveries.collect', {
              amount: formatMoney(toPaisa(delivery.cashToCollect), lang, 'auto'),
            })
          : t('seller.deliveries.paid')}
      </p>
      <div className="button-row">
        <a className="button button-outline" href={`tel:${toDialledPhone(phone)}`}>
          {t('seller.deliveries.call')} <span translate="no">{formatPhone(phone)}</span>
        </a>
        {status === 'Out for Delivery' ? (
          <button
            type="button"
            className="button button-primary"
            disabled={busy}
            onClick={() => void set('Delivered')}
          >
            {t('seller.deliveries.delivered')}
          </button>
        ) : status === 'Delivered' ? null : (
          <button
            type="button"
            className="button button-primary"
            disabled={busy}
            onClick={() => void set('Out for Delivery')}
          >
            {t('seller.deliveries.start')}
          </button>
        )}
      </div>
    </li>
  )
}
