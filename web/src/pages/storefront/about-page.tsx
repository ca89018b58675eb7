import { useQuery } from '@tanstack/react-query'
import { policyPage } from '@/features/policies/api'
import { PolicyText } from '@/features/policies/policy-text'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, formatRate, toPaisa } from '@/lib/money'
import { usePageTitle } from '@/ui/page-title'

/** The number without spaces and punctuation, for `tel:`. */
const dialled = (phone: string) => phone.replace(/[^+\d]/g, '')

export function AboutPage() {
  const t = useT()
  const lang = useLang()
  const brand = localText(settings, 'brand', lang)
  const { contact, grievance, registrationNumber, panNumber, rates } = settings
  const rupees = (amount: number) => formatMoney(toPaisa(amount), lang, 'auto')
  const promise = localText(settings, 'deliveryPromise', lang)
  const { data: own } = useQuery(policyPage('about'))
  const html = lang === 'ne' ? own?.htmlNe : own?.html
  usePageTitle(t('about.title', { brand }))
  return (
    <div className="wrap page prose">
      <h1>{t('about.title', { brand })}</h1>
      <p className="lead">{t('about.lead', { brand })}</p>
      <h2>{t('about.what.title')}</h2>
      <p>{t('about.what.text')}</p>
      <h2>{t('about.deliver.title')}</h2>
      {promise ? <p>{promise}</p> : null}
      <p>{t('about.deliver.text')}</p>
      <h2>{t('about.costs.title')}</h2>
      <ul>
        <li>
          {rates.shippingFee > 0
            ? t('about.costs.shipping', {
                fee: rupees(rates.shippingFee),
                above: rupees(rates.freeShippingAbove),
              })
            : t('about.costs.free')}
        </li>
        {rates.vatRegistered ? (
          <li>{t('about.costs.tax', { rate: formatRate(rates.taxRate, lang) })}</li>
        ) : null}
      </ul>
      <h2>{t('about.pay.title')}</h2>
      <p>{t('about.pay.text')}</p>
      {contact.phone || contact.email || contact.address ? (
        <>
          <h2>{t('about.contact.title')}</h2>
          <p translate="no">
            {contact.phone ? (
              <>
                <a className="link" href={`tel:${dialled(contact.phone)}`}>
                  {contact.phone}
                </a>
                <br />
              </>
            ) : null}
            {contact.email ? (
              <>
                <a className="link" href={`mailto:${contact.email}`}>
                  {contact.email}
                </a>
                <br />
              </>
            ) : null}
            {localText(contact, 'address', lang)}
          </p>
        </>
      ) : null}
      {grievance.name || grievance.phone || grievance.email ? (
        <>
          <h2>{t('about.grievance.title')}</h2>
          <p>{t('about.grievance.text')}</p>
          <ul>
            {grievance.name ? <li>{grievance.name}</li> : null}
            {grievance.phone ? (
              <li>
                <a className="link" href={`tel:${dialled(grievance.phone)}`} translate="no">
                  {grievance.phone}
                </a>
              </li>
            ) : null}
            {grievance.email ? (
              <li>
                <a className="link" href={`mailto:${grievance.email}`} translate="no">
                  {grievance.email}
                </a>
              </li>
            ) : null}
          </ul>
        </>
      ) : null}
      {registrationNumber || panNumber ? (
        <>
          <h2>{t('about.legal.title')}</h2>
          <ul>
            {registrationNumber ? (
              <li>
                {t('footer.registration')} <span translate="no">{registrationNumber}</span>
              </li>
            ) : null}
            {panNumber ? (
              <li>
                {t('footer.pan')} <span translate="no">{panNumber}</span>
              </li>
            ) : null}
          </ul>
        </>
      ) : null}
      {html ? <PolicyText html={html} /> : null}
    </div>
  )
}
