import { Link } from '@tanstack/react-router'
import { SubscribeForm } from '@/features/newsletter/subscribe-form'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { LogoMark } from '@/ui/logo'
import { usePageTitle } from '@/ui/page-title'

export function OffersPage() {
  const t = useT()
  usePageTitle(t('nav.offers'))
  return (
    <div className="wrap page">
      <section className="offers">
        <LogoMark className="offers-art" />
        <h1>{t('offers.title')}</h1>
        <p className="offers-soon">{t('offers.soon')}</p>
        <p className="muted">{t('offers.text')}</p>
        <Link className="button button-primary" to={paths.products}>
          {t('offers.cta')}
        </Link>
      </section>
      <SubscribeForm title="newsletter.offers" />
    </div>
  )
}
