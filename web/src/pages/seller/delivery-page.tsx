import '@/styles/orders.css'
import '@/styles/seller-orders.css'
import '@/styles/seller-delivery.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { lastDays } from '@/features/reports/date-range'
import {
  type DeliveryOrder,
  type DeliverySheet,
  type DeliverySheetFilter,
  type DeliveryStop,
  deliverySheet,
} from '@/features/reports/delivery-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDate } from '@/lib/dates'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, formatNumber, localDigits, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { PrinterIcon, TruckIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useSearchParams } from '@/ui/use-search-params'

/** The statuses before delivery; the server makes sheets for no others. */
const UNDERWAY = STATUSES.slice(0, 4)
/** The statuses that are selected by default. */
const USUAL = UNDERWAY.slice(1)

const FIRST_DAY = '2000-01-01'
const LAST_DAY = '2199-12-31'

/** The filter is in the address, so that a sheet can be linked to and survives a reload. */
function useSheetFilter(): [DeliverySheetFilter, (changes: Partial<DeliverySheetFilter>) => void] {
  const [read, write] = useSearchParams()
  const known = read('status')
    .split(',')
    .filter((each) => UNDERWAY.some((status) => status === each))
  const date = read('date')
  const choice = {
    date: /^2[01]\d\d-\d\d-\d\d$/.test(date) ? date : lastDays(1).to,
    statuses: known.length > 0 ? known : USUAL,
    late: read('late') !== 'false',
  }
  const change = (changes: Partial<DeliverySheetFilter>) => {
    const next = { ...choice, ...changes }
    write({
      date: next.date === lastDays(1).to ? '' : next.date,
      status: next.statuses.join() === USUAL.join() ? '' : next.statuses.join(),
      late: next.late ? '' : 'false',
    })
  }
  return [choice, change]
}

/** Today's deliveries in driving order, with the cash to collect. */
export function SellerDeliveryPage() {
  const t = useT()
  usePageTitle(t('seller.delivery.title'))
  const [choice, change] = useSheetFilter()
  const query = useQuery(deliverySheet(choice))
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const empty = query.data?.orders === 0
  return (
    <>
      <div className="seller-title sheet-title">
        <h1>{t('seller.delivery.title')}</h1>
        <div className="seller-page-tools">
          <Link className="button button-plain" to={paths.sellerOrders}>
            {t('seller.delivery.toOrders')}
          </Link>
          <button
            type="button"
            className="button button-primary"
            // The previous day's sheet is still shown while the chosen one loads, and must not be printed.
            disabled={!query.data || empty || query.isPlaceholderData}
            onClick={() => window.print()}
          >
            <PrinterIcon />
            {t('seller.delivery.print')}
          </button>
        </div>
      </div>
      <SheetFilters choice={choice} onChange={change} />
      <LoadState query={query} problem="orders.loadProblem" skeleton={<SheetSkeleton />}>
        {(sheet) => (
          <div className={query.isPlaceholderData ? 'stale' : undefined}>
            <Sheet sheet={sheet} />
          </div>
        )}
      </LoadState>
    </>
  )
}

function SheetFilters({
  choice,
  onChange,
}: {
  choice: DeliverySheetFilter
  onChange: (changes: Partial<DeliverySheetFilter>) => void
}) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const text = useStatusText()
  // A date with an incomplete year is shown but not requested.
  const [typed, setTyped] = useState(choice.date)
  useEffect(() => setTyped(choice.date), [choice.date])
  const toggle = (status: string) => {
    const on = choice.statuses.includes(status)
    const next = UNDERWAY.filter((each) => (each === status ? !on : choice.statuses.includes(each)))
    // A sheet without any status would be empty: the last chosen status stays.
    if (next.length > 0) onChange({ statuses: next })
  }
  return (
    <div className="sheet-choice">
      <div className="field">
        <label htmlFor={id}>{t('seller.delivery.date')}</label>
        {/* The browser's date field does not support Bikram Sambat. */}
        {lang === 'ne' ? <p className="field-hint">{formatDate(choice.date, lang)}</p> : null}
        <input
          id={id}
          className="input"
          type="date"
          min={FIRST_DAY}
          max={LAST_DAY}
          value={typed}
          onChange={({ target: { value } }) => {
            setTyped(value)
            if (value >= FIRST_DAY && value <= LAST_DAY) onChange({ date: value })
          }}
        />
      </div>
      <fieldset>
        <legend>{t('seller.delivery.statuses')}</legend>
        {UNDERWAY.map((status) => (
          <label key={status} className="checkbox-label">
            <input
              type="checkbox"
              checked={choice.statuses.includes(status)}
              onChange={() => toggle(status)}
            />
            {text(status)}
          </label>
        ))}
      </fieldset>
      <label className="checkbox-label">
        <input
          type="checkbox"
          checked={choice.late}
          onChange={(event) => onChange({ late: event.target.checked })}
        />
        {t('seller.delivery.includeLate')}
      </label>
    </div>
  )
}

function useMoney() {
  const lang = useLang()
  return (rupees: number) => formatMoney(toPaisa(rupees), lang, 'always')
}

function Sheet({ sheet }: { sheet: DeliverySheet }) {
  const t = useT()
  const lang = useLang()
  const money = useMoney()
  if (sheet.orders === 0)
    return (
      <StatePanel
        icon={<TruckIcon size={36} />}
        title={t('seller.delivery.empty')}
        text={t('seller.delivery.emptyText')}
      />
    )
  return (
    <section className="sheet" aria-label={t('seller.delivery.title')} data-testid="sheet">
      <p className="sheet-paper">
        <strong>{localText(settings, 'brand', lang)}</strong> · {t('seller.delivery.title')} ·{' '}
        {formatDate(sheet.date, lang)}
      </p>
      <dl className="sheet-totals">
        <div>
          <dt>{t('seller.delivery.orders')}</dt>
          <dd>{formatNumber(sheet.orders, lang)}</dd>
        </div>
        <div>
          <dt>{t('seller.packingSlip.cash')}</dt>
          <dd>{money(sheet.cash)}</dd>
        </div>
      </dl>
      {sheet.capped ? (
        <p className="order-warning" role="status">
          {t('seller.delivery.capped', { n: sheet.orders })}
        </p>
      ) : null}
      {sheet.stops.map((stop) => (
        <StopTable key={`${stop.municipality} ${stop.ward}`} stop={stop} day={sheet.date} />
      ))}
    </section>
  )
}

function StopTable({ stop: { municipality, ward, orders, cash }, day }: { stop: DeliveryStop; day: string }) {
  const t = useT()
  const lang = useLang()
  const money = useMoney()
  const place = municipality || t('seller.delivery.noMunicipality')
  return (
    <table className="sheet-stop" data-testid="stop">
      <caption data-verbatim={municipality}>
        {ward ? t('seller.delivery.place', { place, ward: localDigits(ward, lang) }) : place}
        <span className="muted"> · {t('orders.count', { n: orders.length })}</span>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('seller.delivery.order')}</th>
          <th scope="col">{t('seller.packingSlip.to')}</th>
          <th scope="col">{t('seller.packingSlip.address')}</th>
          <th scope="col">{t('seller.delivery.items')}</th>
          <th scope="col">{t('seller.packingSlip.cash')}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <DeliveryOrderRow key={order._id} order={order} day={day} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={4}>
            {t('seller.delivery.subtotal')}
          </th>
          <td>{money(cash)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function DeliveryOrderRow({ order, day }: { order: DeliveryOrder; day: string }) {
  const t = useT()
  const lang = useLang()
  const text = useStatusText()
  const money = useMoney()
  return (
    <tr data-testid="drop">
      <th scope="row">
        <Link className="link" to={paths.sellerOrders} hash={order.orderId} translate="no">
          #{order.orderId}
        </Link>
        {order.deliveryHours ? <strong>{localDigits(order.deliveryHours, lang)}</strong> : null}
        <span className="sheet-note">{text(order.status)}</span>
        {order.deliveryDate && order.deliveryDate < day ? (
          <span className="sheet-note sheet-late">
            {t('seller.delivery.wasDue', { date: formatDate(order.deliveryDate, lang) })}
          </span>
        ) : null}
      </th>
      <td>
        <span translate="no">{order.name}</span>
        <a className="link" href={`tel:${toDialledPhone(order.phone)}`} translate="no">
          {formatPhone(order.phone)}
        </a>
      </td>
      <td translate="no">
        {order.address}
        {order.landmark && !order.address.includes(order.landmark) ? (
          <span className="sheet-note">{order.landmark}</span>
        ) : null}
        {order.noteRider ? <strong className="sheet-note">{order.noteRider}</strong> : null}
      </td>
      <td data-label={t('seller.delivery.items')}>{formatNumber(order.items, lang)}</td>
      <td data-label={t('seller.packingSlip.cash')}>
        {order.cashToCollect > 0 ? (
          <strong>{money(order.cashToCollect)}</strong>
        ) : (
          t('seller.delivery.noCash')
        )}
      </td>
    </tr>
  )
}

function SheetSkeleton() {
  return (
    <div className="orders skeleton-late" aria-hidden="true">
      {[1, 2, 3].map((row) => (
        <div key={row} className="sheet-skeleton skeleton" />
      ))}
    </div>
  )
}
