import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { usePageTitle } from '@/ui/page-title'

export function AboutPage() {
  const t = useT()
  const lang = useLang()
  const brand = localText(settings, 'brand', lang)
  const { contact } = settings
  usePageTitle(t('about.title', { brand }))
  return (
    <div className="wrap page prose">
      <h1>{t('about.title', { brand })}</h1>
      <p className="lead">{t('about.lead', { brand })}</p>
      <h2>{t('about.what.title')}</h2>
      <p>{t('about.what.text')}</p>
      <h2>{t('about.deliver.title')}</h2>
      <p>{t('about.deliver.text')}</p>
      <h2>{t('about.costs.title')}</h2>
      <ul>
        <li>{t('about.costs.shipping')}</li>
        <li>{t('about.costs.tax')}</li>
      </ul>
      <h2>{t('about.pay.title')}</h2>
      <p>{t('about.pay.text')}</p>
      <h2>{t('about.contact.title')}</h2>
      <p translate="no">
        {contact.phone}
        <br />
        {contact.email}
        <br />
        {localText(contact, 'address', lang)}
      </p>
    </div>
  )
}
