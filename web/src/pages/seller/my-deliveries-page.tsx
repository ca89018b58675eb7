import '@/styles/orders.css'
import '@/styles/seller-staff.css'
import '@/styles/seller-stops.css'
import { useQuery } from '@tanstack/react-query'
import { StopCard } from '@/features/riders/stop-card'
import { ownCash, recorded, stops, useStopSync } from '@/features/riders/sync'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { ClipboardIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

/** What a rider has to deliver, in the order of day, window and place. It works without a connection. */
export function MyDeliveriesPage() {
  const t = useT()
  usePageTitle(t('seller.nav.deliveries'))
  useStopSync()
  const deliveries = useQuery(stops)
  const entries = recorded.use()
  const waiting = entries.filter(({ refusal }) => refusal === undefined).length
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.deliveries')}</h1>
        <OwnCash />
      </div>
      <p className="stop-state" role="status" data-testid="sync">
        {waiting > 0 ? t('seller.stops.waitingCount', { n: waiting }) : ''}
      </p>
      <LoadState
        query={deliveries}
        problem="seller.deliveries.problem"
        skeleton={<div className="disclosure-skeleton skeleton" />}
      >
        {(list) =>
          list.length > 0 ? (
            <ul className="delivery-list">
              {list.map((stop) => (
                <StopCard
                  key={stop._id}
                  stop={stop}
                  entries={entries.filter(({ event }) => event.orderId === stop._id)}
                />
              ))}
            </ul>
          ) : (
            <StatePanel
              icon={<ClipboardIcon size={36} />}
              title={t('seller.deliveries.empty')}
              text={t('seller.deliveries.emptyText')}
            />
          )
        }
      </LoadState>
    </>
  )
}

/** What the rider carries and has to hand in. */
function OwnCash() {
  const t = useT()
  const lang = useLang()
  const { data } = useQuery(ownCash)
  if (!data) return null
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
  return (
    <p data-testid="own-cash">
      {t('seller.stops.ownCash', { amount: money(data.balance), float: money(data.float) })}
    </p>
  )
}
