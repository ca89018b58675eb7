import type { ErrorComponentProps } from '@tanstack/react-router'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { StatePanel } from '@/ui/state-panel'

/** The last net. A plain link, because after a crash only a fresh page is trustworthy. */
export function RootError(_props: ErrorComponentProps) {
  const t = useT()
  return (
    <main className="site-main wrap">
      <StatePanel
        heading="h1"
        title={t('shell.crash.title')}
        text={t('shell.crash.text')}
        action={
          <a className="button button-primary" href={paths.home}>
            {t('shell.notFound.cta')}
          </a>
        }
      />
    </main>
  )
}
