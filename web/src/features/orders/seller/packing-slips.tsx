import '@/styles/packing-slips.css'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { formatHours } from '@/features/delivery/hours'
import type { Order } from '@/features/orders/api'
import { choiceMessage } from '@/features/orders/order-notes-store'
import { ItemSubstitution } from '@/features/orders/order-parts'
import { formatDate } from '@/lib/dates'
import { formatDateTime } from '@/lib/dates-time'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, localDigits, toPaisa } from '@/lib/money'
import { formatPhone } from '@/lib/phone'

const PAID = ['paid', 'cod_collected']

/** A line that was packed differently from the order. */
type AdjustedLine = {
  product: string
  packed: number
  replacement: { name: string; nameNe: string | null; quantity: number } | null
}
/** The adjusted lines of packed orders, by the order's id. */
export type AdjustedLines = Record<string, AdjustedLine[]>

type PackingSlipsProps = { orders: Order[]; adjusted: AdjustedLines; onDone: () => void }

/** Prints one sheet per order and nothing else of the page. Mounting it starts the printing. */
export function PackingSlips({ orders, adjusted, onDone }: PackingSlipsProps) {
  useEffect(() => {
    document.body.dataset.print = 'slips'
    window.addEventListener('afterprint', onDone)
    // Some browsers print what is on the screen at the time of the call, so it must be painted first.
    const timer = setTimeout(() => window.print(), 50)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('afterprint', onDone)
      delete document.body.dataset.print
    }
  }, [onDone])
  return createPortal(
    <div className="slips" data-testid="slips">
      {orders.map((order) => (
        <PackingSlip key={order._id} order={order} adjusted={adjusted[order._id] ?? []} />
      ))}
    </div>,
    document.body,
  )
}

function PackingSlip({ order, adjusted }: { order: Order; adjusted: AdjustedLine[] }) {
  const t = useT()
  const lang = useLang()
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'always')
  const { name, phone, address, municipality, ward, landmark } = order.userId
  const made = t('seller.packingSlip.date')
  const window = order.deliveryWindow && `, ${formatHours(order.deliveryWindow, lang)}`
  const delivery = t('orders.delivery')
  const substitution = choiceMessage(order.ifUnavailable)
  const unavailable = t('ifUnavailable.title')
  const ours = [made, delivery, unavailable]
  const facts = [
    [made, formatDateTime(order.date, lang)],
    [delivery, window && formatDate(order.deliveryDate, lang) + window],
    [t('seller.packingSlip.to'), name],
    [t('seller.packingSlip.phone'), formatPhone(phone)],
    [t('seller.packingSlip.address'), address],
    [t('seller.packingSlip.municipality'), municipality],
    [t('seller.packingSlip.ward'), ward && localDigits(ward, lang)],
    [t('seller.packingSlip.landmark'), landmark],
    [t('orders.noteShop'), order.noteShop],
    [t('orders.noteRider'), order.noteRider],
    [unavailable, substitution && t(substitution)],
  ].filter(([, value]) => value)
  return (
    <article className="slip" data-testid="slip">
      <header>
        <p className="slip-shop">{localText(settings, 'brand', lang)}</p>
        <h2>
          {t('seller.packingSlip.title')} <span translate="no">#{order.orderId}</span>
        </h2>
      </header>
      <dl className="slip-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd translate={ours.includes(label ?? '') ? undefined : 'no'}>{value}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('seller.packingSlip.packed')}</th>
            <th scope="col">{t('seller.packingSlip.item')}</th>
            <th scope="col">{t('seller.packingSlip.quantity')}</th>
          </tr>
        </thead>
        <tbody>
          {order.items.map((item) => (
            <tr key={item._id}>
              <td>
                <span className="slip-box" />
              </td>
              <td>
                <span lang={scriptLang(localText(item, 'name', lang), lang)}>
                  {localText(item, 'name', lang)}
                </span>
                {item.packLabel ? (
                  <strong className="slip-pack" lang={scriptLang(localText(item, 'packLabel', lang), lang)}>
                    {localText(item, 'packLabel', lang)}
                  </strong>
                ) : null}
                <ItemSubstitution item={item} />
                <Replacement line={adjusted.find(({ product }) => product === item._id)} />
              </td>
              <td>
                <Quantity
                  ordered={item.quantity}
                  line={adjusted.find(({ product }) => product === item._id)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="slip-sums">
        <div>
          <dt>{t('orders.total')}</dt>
          <dd>{money(order.total)}</dd>
        </div>
        <div className="slip-cash">
          {order.cashToCollect > 0 ? (
            <>
              <dt>{t('seller.packingSlip.cash')}</dt>
              <dd>{money(order.cashToCollect)}</dd>
            </>
          ) : (
            <dt>
              {t(
                PAID.includes(order.paymentState)
                  ? 'seller.packingSlip.paid'
                  : 'seller.packingSlip.nothingToCollect',
              )}
            </dt>
          )}
        </div>
      </dl>
    </article>
  )
}

/** The number of units; where fewer are packed, the ordered number is crossed out. */
function Quantity({ ordered, line }: { ordered: number; line: AdjustedLine | undefined }) {
  const lang = useLang()
  if (!line) return formatNumber(ordered, lang)
  return (
    <>
      <s>{formatNumber(ordered, lang)}</s> {formatNumber(line.packed, lang)}
    </>
  )
}

function Replacement({ line }: { line: AdjustedLine | undefined }) {
  const lang = useLang()
  if (!line?.replacement) return null
  const name = localText(line.replacement, 'name', lang)
  return (
    <strong className="slip-pack" lang={scriptLang(name, lang)}>
      + {formatNumber(line.replacement.quantity, lang)} × {name}
    </strong>
  )
}
