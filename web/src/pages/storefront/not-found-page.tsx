import { Link } from '@tanstack/react-router'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

export function NotFoundPage() {
  const t = useT()
  usePageTitle(t('shell.notFound.title'))
  return (
    <div className="wrap page">
      <StatePanel
        heading="h1"
        title={t('shell.notFound.title')}
        text={t('shell.notFound.text')}
        action={
          <Link className="button button-primary" to={paths.home}>
            {t('shell.notFound.cta')}
          </Link>
        }
      />
    </div>
  )
}
