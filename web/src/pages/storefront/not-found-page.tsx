import { Link } from '@tanstack/react-router'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { Outline } from '@/ui/icons'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

export function NotFoundPage() {
  const t = useT()
  usePageTitle(t('shell.notFound.title'))
  return (
    <div className="wrap page">
      <StatePanel
        icon={
          <Outline size={36} d="M12 3v18M8.5 21h7M6 5.5h10.5l2.5 2.5-2.5 2.5H6zM18 13H7.5L5 15l2.5 2H18z" />
        }
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
