import '@/styles/packing.css'
import { useQuery } from '@tanstack/react-query'
import { formatHours } from '@/features/delivery/hours'
import { Day } from '@/features/orders/day'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { PackedSummary } from '@/features/packing/packed-summary'
import { orderToPack } from '@/features/packing/seller/order-to-pack'
import { PackOrder } from '@/features/packing/seller/pack-order'
import { type OrderToPack, ordersToPack } from '@/features/packing/seller/packing-api'
import { useLang, useT } from '@/lib/i18n'
import { BoxIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useSearchParams } from '@/ui/use-search-params'

/** The packer's screen: the orders by delivery window, and one of them. The chosen order is in the address. */
export function SellerPackingPage() {
  const t = useT()
  usePageTitle(t('seller.nav.packing'))
  const [read, write] = useSearchParams()
  const chosen = read('order')
  const close = () => write({ order: '' })
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.packing')}</h1>
        {chosen ? (
          <button type="button" className="button button-outline" onClick={close}>
            {t('seller.packing.all')}
          </button>
        ) : null}
      </div>
      {chosen ? (
        <ChosenOrder id={chosen} onDone={close} />
      ) : (
        <OrderList onChoose={(order) => write({ order })} />
      )}
    </>
  )
}

const windowKey = ({ deliveryDate, deliveryWindow }: OrderToPack) =>
  `${deliveryDate} ${deliveryWindow?.starts ?? ''}`

function OrderList({ onChoose }: { onChoose: (id: string) => void }) {
  const t = useT()
  const lang = useLang()
  const orders = useQuery(ordersToPack)
  return (
    <LoadState
      query={orders}
      problem="seller.packing.failed"
      skeleton={<div className="disclosure-skeleton skeleton" />}
    >
      {(list) =>
        list.length > 0 ? (
          <ul className="packing-orders">
            {list.map((order, index) => (
              <li key={order._id}>
                {index === 0 || windowKey(order) !== windowKey(list[index - 1] as OrderToPack) ? (
                  <h2 className="packing-window">
                    <Day iso={order.deliveryDate} />
                    {order.deliveryWindow ? `, ${formatHours(order.deliveryWindow, lang)}` : ''}
                  </h2>
                ) : null}
                <button
                  type="button"
                  className="packing-order-button"
                  data-testid="order-to-pack"
                  onClick={() => onChoose(order._id)}
                >
                  <strong translate="no">#{order.orderId}</strong>
                  <span translate="no">{order.customer}</span>
                  <span className="muted">
                    {t('seller.packing.lines', { n: order.lines })}
                    {order.hasNote ? ` · ${t('seller.packing.hasNote')}` : ''}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <StatePanel
            icon={<BoxIcon size={36} />}
            title={t('seller.packing.empty')}
            text={t('seller.packing.emptyText')}
          />
        )
      }
    </LoadState>
  )
}

function ChosenOrder({ id, onDone }: { id: string; onDone: () => void }) {
  const lang = useLang()
  const order = useQuery(orderToPack(id))
  return (
    <LoadState
      query={order}
      problem="seller.packing.failed"
      skeleton={<div className="disclosure-skeleton skeleton" />}
    >
      {(loaded) => (
        <>
          <p className="packing-number">
            <strong translate="no">#{loaded.orderId}</strong> <Day iso={loaded.deliveryDate} />
            {loaded.deliveryWindow ? `, ${formatHours(loaded.deliveryWindow, lang)}` : ''}
          </p>
          {loaded.packing ? (
            <PackedSummary packing={loaded.packing} price={(rupees) => formatSellerPrice(rupees, lang)} />
          ) : (
            <PackOrder key={loaded._id} order={loaded} onDone={onDone} />
          )}
        </>
      )}
    </LoadState>
  )
}
