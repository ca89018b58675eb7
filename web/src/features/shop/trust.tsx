import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, formatRate, toPaisa } from '@/lib/money'
import { CashIcon, ReceiptIcon, TruckIcon } from '@/ui/icons'

/** When it arrives, how it is paid and what comes on top. */
export function Trust({ detail = false }: { detail?: boolean }) {
  const t = useT()
  const lang = useLang()
  const { rates } = settings
  const rupees = (amount: number) => formatMoney(toPaisa(amount), lang, 'auto')
  const promise = detail ? localText(settings, 'deliveryPromise', lang) : ''
  return (
    <ul className={detail ? 'trust detail-trust' : 'trust'}>
      {promise ? (
        <li>
          <TruckIcon />
          {promise}
        </li>
      ) : null}
      <li>
        <CashIcon />
        {t('home.trust.cod')}
      </li>
      <li>
        <TruckIcon />
        {rates.shippingFee > 0
          ? t('home.trust.shipping', {
              fee: rupees(rates.shippingFee),
              above: rupees(rates.freeShippingAbove),
            })
          : t('home.trust.free')}
      </li>
      {rates.vatRegistered && !detail ? (
        <li>
          <ReceiptIcon />
          {t('home.trust.tax', { rate: formatRate(rates.taxRate, lang) })}
        </li>
      ) : null}
    </ul>
  )
}
