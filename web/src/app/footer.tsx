import { Link } from '@tanstack/react-router'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { localDigits } from '@/lib/money'
import { paths } from '@/lib/paths'
import { MailIcon, PhoneIcon, PinIcon } from '@/ui/icons'
import { LazyThemeSwitch } from '@/ui/lazy-theme-switch'
import { LogoMark } from '@/ui/logo'

export function Footer() {
  const t = useT()
  const lang = useLang()
  const { contact, social, registrationNumber, panNumber } = settings
  const brand = localText(settings, 'brand', lang)
  return (
    <footer className="site-footer">
      <div className="footer-row wrap">
        <div className="footer-brand">
          <p className="wordmark">
            <LogoMark className="wordmark-mark" />
            {brand}
          </p>
          <p>{localText(settings, 'tagline', lang)}</p>
        </div>
        <nav aria-labelledby="footer-links">
          <h2 id="footer-links">{t('footer.links')}</h2>
          <ul>
            <li>
              <Link to={paths.about}>{t('footer.about')}</Link>
            </li>
            <li>
              <Link to={paths.products}>{t('nav.products')}</Link>
            </li>
            <li>
              <Link to={paths.categories}>{t('nav.categories')}</Link>
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-policies">
          <h2 id="footer-policies">{t('footer.policies')}</h2>
          <ul>
            <li>
              <Link to={paths.privacy}>{t('policies.privacy')}</Link>
            </li>
            <li>
              <Link to={paths.terms}>{t('policies.terms')}</Link>
            </li>
            <li>
              <Link to={paths.returns}>{t('policies.returns')}</Link>
            </li>
            <li>
              <Link to={paths.deliveryPolicy}>{t('policies.delivery')}</Link>
            </li>
          </ul>
        </nav>
        {contact.phone || contact.email || contact.address ? (
          <div>
            <h2>{t('footer.contact')}</h2>
            <address>
              <ul>
                {contact.phone ? (
                  <li>
                    <PhoneIcon />
                    <a href={`tel:${contact.phone.replace(/[^+\d]/g, '')}`} translate="no">
                      {contact.phone}
                    </a>
                  </li>
                ) : null}
                {contact.email ? (
                  <li>
                    <MailIcon />
                    <a href={`mailto:${contact.email}`} translate="no">
                      {contact.email}
                    </a>
                  </li>
                ) : null}
                {contact.address ? (
                  <li>
                    <PinIcon />
                    <span>{localText(contact, 'address', lang)}</span>
                  </li>
                ) : null}
              </ul>
            </address>
          </div>
        ) : null}
        {social.length > 0 ? (
          <div>
            <h2>{t('footer.social')}</h2>
            <ul>
              {social.map(({ name, url }) => (
                <li key={url}>
                  <a href={url} rel="noopener" translate="no">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
      <div className="footer-theme wrap">
        <LazyThemeSwitch />
      </div>
      <p className="footer-rights wrap">
        {t('footer.rights', { year: localDigits(String(new Date().getFullYear()), lang), brand })}
        {registrationNumber ? ` · ${t('footer.registration')} ${registrationNumber}` : ''}
        {panNumber ? ` · ${t('footer.pan')} ${panNumber}` : ''}
      </p>
    </footer>
  )
}
